#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ridge/base/text.h"
#include "ridge/report/explain.h"
#include "ridge/report/kernel_table.h"

namespace ridge::report {
namespace {

std::string us_text(double us) { return to_text(Microseconds(us)); }

void add_heading(std::string& text, const Report& report) {
  double floor = 0, predicted = 0;
  for (const KernelRow& row : report.rows) {
    if (!row.price) continue;
    floor += 1e6 * row.price->floor;
    predicted += 1e6 * row.price->predicted;
  }
  text += concat(report.name, report.is_prediction ? concat(" on ", report.sheet->name) : "", ": ",
                 report.rows.size(), report.rows.size() == 1 ? " kernel" : " kernels", ", floor ",
                 us_text(floor), ", predicted ", us_text(predicted));
  if (is_timed(report.rows)) text += concat(", measured ", us_text(report.time_us()));
  text += "\n\n";
}

void add_classes(std::string& text, const Report& report) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{:<12}{:>8}{:>16}{:>16}\n", "class", "kernels", "share of flops",
                 "share of time");
  for (const ClassSummary& one : report.classes) {
    fmt::format_to(out, "{:<12}{:>8}{:>14.1f} %{:>14.1f} %\n", name(one.kind), one.kernels,
                   100 * one.flops_share, 100 * one.time_share);
  }
}

std::string gain_text(const RefusedFusion& one) {
  if (one.gain_us && *one.gain_us < 0) {
    return concat("; one kernel would take ", us_text(-*one.gain_us), " longer");
  }
  if (one.gain_us) return concat("; one kernel would save ", us_text(*one.gain_us));
  if (one.bytes > 0) return concat("; ", Bytes(one.bytes), " go through memory");
  return "";
}

void add_refused(std::string& text, const Report& report) {
  if (report.refused.empty()) return;
  text += "\nops that stay apart";
  if (report.refused.size() < report.refused_count) {
    text += concat(", ", report.refused.size(), " of ", report.refused_count);
  }
  text += "\n";
  for (const RefusedFusion& one : report.refused) {
    text += concat("  ", one.producer, " and ", one.consumer,
                   one.count > 1 ? concat(" (", one.count, " times)") : "", ": ", one.reason,
                   gain_text(one), "\n");
  }
}

// "one row per lane, 7.3 us; lanes along a row: 37.4 us".
std::string mapping_text(const MappingChoice& choice) {
  std::vector<std::string> parts;
  for (const Decision& one : choice.decisions) {
    const auto us = one.cost_if_yes_us;
    std::string part = one.reason;
    if (us) part += concat(one.verdict ? ", " : ": ", us_text(*us));
    parts.insert(one.verdict ? parts.begin() : parts.end(), part);
  }
  return join(parts, "; ");
}

void add_mappings(std::string& text, const Report& report, size_t limit) {
  if (report.mappings.empty()) return;
  const size_t all = report.mappings.size(), shown = limit == 0 ? all : std::min(all, limit);
  text += "\nhow kernels were mapped";
  if (shown < report.mappings.size()) {
    text += concat(", ", shown, " of ", report.mappings.size(), " with most at stake");
  }
  text += "\n";
  for (size_t i = 0; i < shown; ++i) {
    const MappingChoice& one = report.mappings[i];
    text += concat("  ", one.kernel, ": ", mapping_text(one), "\n");
  }
}

void add_footer(std::string& text, const Report& report) {
  const auto is_above = [](const KernelRow& row) { return row.reached_fraction() > 1.0; };
  const auto above = std::ranges::count_if(report.rows, is_above);
  if (above > 0) {
    text +=
        concat("\n", above, above == 1 ? " kernel is" : " kernels are",
               " faster than the rates of the sheet, which were reached before: calibrate again\n");
  }
  const cost::Sheet& sheet = *report.sheet;
  text += "\n";
  if (report.is_prediction) {
    text += concat("sheet ", sheet.name, " (", sheet.version, "), predictions only");
  } else {
    text += figures_text(sheet, report.gpu_name);
  }
  text += "; an FMA counts as 2 flops\n";
  if (const auto absent = absent_of(report.rows); !absent.empty()) {
    text += concat("not in the sheet, and so not counted: ", join(absent, ", "), "\n");
  }
}

}  // namespace

std::string to_text(const Report& report, size_t limit) {
  std::string text;
  add_heading(text, report);
  text += to_text(report.rows, limit);
  add_classes(text, report);
  add_refused(text, report);
  add_mappings(text, report, limit);
  add_footer(text, report);
  return text;
}

}  // namespace ridge::report
