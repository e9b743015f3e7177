#include "sweep_report_parts.h"

#include <cmath>

#include "ridge/base/text.h"

namespace ridge::command {

using nlohmann::ordered_json;

namespace {

constexpr const char* kFlopsConvention = "an FMA counts as 2 flops";

}  // namespace

ordered_json json_of(const SweepSubject& subject) {
  return {{"device", subject.device},
          {"sheet_version", subject.sheet_version},
          {"is_measured_sheet", subject.is_measured},
          {"stands_in", subject.stands_in},
          {"dtype", subject.dtype},
          {"convention", kFlopsConvention}};
}

std::string head(std::string_view what, const SweepSubject& subject) {
  return concat(what, ", ", subject.dtype, ", for ", subject.device, " (sheet of ",
                subject.sheet_version, "; ", kFlopsConvention, ")\n",
                subject.stands_in ? concat("this machine is not calibrated: figures of ",
                                           subject.device, "; run ridge devices --calibrate\n")
                                  : "");
}

std::string notices(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += concat("note: ", text, "\n");
  return out;
}

std::vector<size_t> shown_points(const std::vector<cost::RepeatPoint>& points) {
  // The knee lies anywhere between a few and hundreds.
  std::vector<size_t> shown;
  double next = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool is_last = i + 1 == points.size();
    if (points[i].repeat < next && !is_last) continue;
    next = points[i].repeat * std::sqrt(2.0);
    shown.push_back(i);
  }
  return shown;
}

std::string milliseconds(const std::optional<double>& seconds) {
  return seconds ? to_text(Microseconds(*seconds * 1e6)) : "-";
}

}  // namespace ridge::command
