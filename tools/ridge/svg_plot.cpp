#include "svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "ridge/base/error.h"

namespace ridge::command {

namespace {

constexpr double kWidth = 900, kHeight = 460, kLeft = 80, kRight = 20, kTop = 50, kBottom = 60;

// Told apart by people who do not see red or green; a reader's style sheet may change them.
constexpr const char* kStyle =
    "svg{font:13px sans-serif;background:#fff;color:#222}"
    "text{fill:currentColor}.axis{stroke:currentColor;stroke-width:1}"
    ".grid{stroke:currentColor;stroke-opacity:.12}"
    ".mark{stroke:currentColor;stroke-opacity:.5;stroke-dasharray:4 4}"
    ".s0{color:#0072b2}.s1{color:#d55e00}.s2{color:#009e73}.s3{color:#cc79a7}"
    ".s4{color:#e69f00}.s5{color:#56b4e9}.s6{color:#8a6d00}"
    ".line{fill:none;stroke:currentColor;stroke-width:1.5}.dot{fill:currentColor}"
    "@media(prefers-color-scheme:dark){svg{background:#181818;color:#ddd}}";
constexpr size_t kColors = 7;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// Where the numbers of one axis lie on the page.
struct Scale {
  double from, to;    // numbers
  double start, end;  // places
  double step;        // between ticks
  double at(double value) const { return start + (value - from) / (to - from) * (end - start); }
  std::vector<double> ticks() const {
    std::vector<double> all;
    const auto first = static_cast<int64_t>(std::ceil(from / step));
    const auto last = static_cast<int64_t>(std::floor(to / step));
    for (int64_t i = first; i <= last; ++i) all.push_back(static_cast<double>(i) * step);
    return all;
  }
};

// Ticks at 1, 2 or 5 times a power of ten, about six of them.
double round_step(double span) {
  const double raw = span / 6;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

Scale scale_over(double least, double greatest, double start, double end) {
  if (!(greatest > least)) greatest = least + 1;
  return {least, greatest, start, end, round_step(greatest - least)};
}

void add_axes(std::string& svg, const SvgPlot& plot, const Scale& x, const Scale& y) {
  for (const double tick : x.ticks()) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                       x.at(tick), kHeight - kBottom + 18, tick);
  }
  for (const double tick : y.ticks()) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
        kLeft, kWidth - kRight, y.at(tick), y.at(tick), kLeft - 6, y.at(tick) + 4, tick);
  }
  svg += fmt::format("<path class=\"axis\" fill=\"none\" d=\"M{0},{1}V{2}H{3}\"/>\n", kLeft, kTop,
                     kHeight - kBottom, kWidth - kRight);
  svg += fmt::format("<text x=\"{}\" y=\"24\" font-size=\"16\">{}</text>\n", kLeft,
                     escaped(plot.title));
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kWidth - kRight,
                     kHeight - 16, escaped(plot.x_label));
  svg += fmt::format("<text x=\"8\" y=\"{}\">{}</text>\n", kTop - 8, escaped(plot.y_label));
}

void add_series(std::string& svg, const SvgSeries& series, size_t index, const Scale& x,
                const Scale& y) {
  const size_t color = index % kColors;
  svg += fmt::format("<g class=\"s{}\"><text x=\"{}\" y=\"{}\">{} {}</text>\n", color,
                     kLeft + 110.0 * static_cast<double>(index), kHeight - 16,
                     series.is_line ? "―" : "●", escaped(series.name));
  if (series.is_line) {
    svg += "<polyline class=\"line\" points=\"";
    for (size_t i = 0; i < series.x.size(); ++i) {
      svg += fmt::format("{:.1f},{:.1f} ", x.at(series.x[i]), y.at(series.y[i]));
    }
    svg += "\"/>\n";
  } else {
    for (size_t i = 0; i < series.x.size(); ++i) {
      svg += fmt::format("<circle class=\"dot\" r=\"1.4\" cx=\"{:.1f}\" cy=\"{:.1f}\"/>\n",
                         x.at(series.x[i]), y.at(series.y[i]));
    }
  }
  svg += "</g>\n";
}

}  // namespace

std::string to_svg(const SvgPlot& plot) {
  double least = std::numeric_limits<double>::infinity(), greatest = -least, highest = 0;
  for (const SvgSeries& series : plot.series) {
    for (const double x : series.x) least = std::min(least, x), greatest = std::max(greatest, x);
    for (const double y : series.y) highest = std::max(highest, y);
  }
  if (!(least <= greatest)) least = 0, greatest = 1;
  const Scale x = scale_over(least, greatest, kLeft, kWidth - kRight);
  // Heights start at zero: a plot that does not makes small differences look large.
  const Scale y = scale_over(0, highest * 1.05, kHeight - kBottom, kTop);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<style>{2}</style>\n<title>{3}</title>\n",
      kWidth, kHeight, kStyle, escaped(plot.title));
  add_axes(svg, plot, x, y);
  for (const SvgMark& mark : plot.marks) {
    svg += fmt::format(
        "<line class=\"mark\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{3:.1f}\" y=\"{4}\">{5}</text>\n",
        x.at(mark.x), kTop, kHeight - kBottom, x.at(mark.x) + 4, kTop + 12, escaped(mark.label));
  }
  for (size_t i = 0; i < plot.series.size(); ++i) add_series(svg, plot.series[i], i, x, y);
  return svg + "</svg>\n";
}

void write_svg(const SvgPlot& plot, const std::string& path) {
  std::ofstream file(path);
  file << to_svg(plot);
  file.close();
  RIDGE_CHECK(!file.fail(), .code = ErrorCode::io, .expected = "a file that can be written",
              .given = path);
}

}  // namespace ridge::command
