// A plot as a standalone SVG: axes with round ticks, lines or dots, marks with a label.
//
//   SvgPlot plot{.title = "rate", .x_label = "N", .y_label = "TFLOP/s"};
//   plot.series.push_back({.name = "predicted", .x = {1, 2}, .y = {3, 4}});
//   std::string svg = to_svg(plot);
//
// It needs no script, font or network, and follows the reader's light or dark setting.
#pragma once

#include <string>
#include <vector>

namespace ridge::command {

struct SvgSeries {
  std::string name;
  std::vector<double> x, y;  // as many of each; finite
  bool is_line = true;       // else dots
};

struct SvgMark {
  double x = 0;
  std::string label;
};

struct SvgPlot {
  std::string title, x_label, y_label;
  std::vector<SvgSeries> series;
  std::vector<SvgMark> marks;  // vertical lines
};

std::string to_svg(const SvgPlot& plot);
// Error{io} where the file cannot be written.
void write_svg(const SvgPlot& plot, const std::string& path);

}  // namespace ridge::command
