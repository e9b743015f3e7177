#include "roofline_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "or_null.h"
#include "ridge/base/text.h"

namespace ridge::command {

namespace {

using cost::Estimate;
using nlohmann::ordered_json;

constexpr const char* kConvention = "an FMA counts as 2 flops";

// Whole numbers without a point: counts read as counts. Half bytes of i4 stay.
ordered_json number(double value) {
  const bool is_whole = std::abs(value) <= 0x1p53 && value == std::floor(value);
  return is_whole ? ordered_json(static_cast<int64_t>(value)) : ordered_json(value);
}

// 1.5 G, in thousands: flops and rates are sold so.
std::string scaled(double value) {
  static constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T", " P"};
  size_t prefix = 0;
  while (std::abs(value) >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.4g}{}", value, kPrefixes[prefix]);
}

std::string seconds(double value) { return to_text(Microseconds(value * 1e6)); }

class Rows {
 public:
  template <class... Parts>
  void add(std::string_view label, const Parts&... parts) {
    text_ += fmt::format("{:<23}{}\n", label, concat(parts...));
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

void add_crossovers(Rows& rows, const Estimate& estimate) {
  const char* always = estimate.t_math_s >= estimate.t_comms_s ? "compute-bound at any"
                                                               : "never compute-bound at any";
  if (estimate.crossovers.empty()) return rows.add("crossover", always, " size");
  for (const cost::Crossover& one : estimate.crossovers) {
    const std::string label = &one == &estimate.crossovers.front() ? "crossover" : "";
    if (one.at && *one.at <= 1) {
      rows.add(label, "compute-bound at any ", one.dimension);
    } else if (one.at) {
      rows.add(label, "compute-bound from ", one.dimension, " = ",
               cost::whole_text(std::ceil(*one.at)), fmt::format(" ({:.6g})", *one.at));
    } else {
      rows.add(label, always, " ", one.dimension);
    }
  }
}

void add_tiling(Rows& rows, const Estimate& estimate) {
  if (!estimate.tiling) return;
  const cost::Tiling& tiling = *estimate.tiling;
  rows.add("tiles", cost::whole_text(tiling.tiles), " of ", to_text(tiling.tile),
           tiling.is_chosen ? " (chosen by the model)" : "");
  rows.add("waves", tiling.waves ? cost::whole_text(*tiling.waves) : "none on this device");
  rows.add("waste", fmt::format("{:.1f} %", 100 * tiling.waste));
  rows.add("lines under a tile", cost::whole_text(tiling.lines), " (",
           cost::whole_text(tiling.aligned_lines), " if rows were whole lines)");
  rows.add("issued bytes", to_text(Bytes(tiling.issued_bytes)), ", caches aside");
}

// What the floor is made of: a launch is the least that anything takes, and a cache may have it all.
std::string floor_reason(const Estimate& estimate) {
  if (estimate.floor_s > estimate.lower_s) return ", a launch";
  if (estimate.floor_s < estimate.lower_s) return ", all overlapped, from a cache that holds it";
  return ", all overlapped";
}

std::string predicted_reason(const Estimate& estimate) {
  return estimate.tiling ? " with these tiles and alignment" : "";
}

void add_parts(Rows& rows, const Estimate& estimate) {
  if (estimate.parts.size() < 2) return;
  rows.text() += fmt::format("\n{:<18}{:>10}{:>12}{:>11}{:>11}{:>11}\n", "kernel", "flops", "bytes",
                             "math", "memory", "network");
  for (const cost::Part& part : estimate.parts) {
    rows.text() += fmt::format("{:<18}{:>10}{:>12}{:>11}{:>11}{:>11}\n", part.name,
                               scaled(part.flops), to_text(Bytes(part.bytes)), seconds(part.math_s),
                               seconds(part.memory_s), seconds(part.network_s));
  }
  rows.text() += "\n";
}

std::string detail_text(const std::string& key, double value) {
  if (key.ends_with("_s") && !key.ends_with("per_s")) return seconds(value);
  if (key.ends_with("_bytes")) return to_text(Bytes(value));
  return scaled(value);
}

}  // namespace

std::string roofline_text(const Estimate& e) {
  Rows rows;
  rows.text() = e.operation + "\n";
  rows.add("device", e.sheet, ", sheet of ", e.sheet_version, "; ", kConvention);
  rows.add("rates", join(e.rates, ", "));
  add_parts(rows, e);
  rows.add("flops", scaled(e.flops));
  rows.add("bytes", to_text(Bytes(e.bytes)));
  if (e.network_bytes > 0) rows.add("sent to others", to_text(Bytes(e.network_bytes)));
  rows.add("intensity", fmt::format("{:.4g} flop/B", e.intensity));
  if (e.ridge) rows.add("ridge point", fmt::format("{:.4g} flop/B", *e.ridge));
  rows.add("T_math", seconds(e.t_math_s));
  if (e.t_special_s) rows.add("T_special", seconds(*e.t_special_s), " of it, in special functions");
  rows.add("T_comms", seconds(e.t_comms_s),
           e.t_network_s > 0 ? concat(" (memory ", seconds(e.t_memory_s), ", network ",
                                      seconds(e.t_network_s), ")")
                             : "");
  if (e.launch_s) rows.add("launch", seconds(*e.launch_s));
  rows.add("floor", seconds(e.floor_s), floor_reason(e));
  rows.add("upper bound", seconds(e.upper_s), ", nothing overlapped");
  if (e.predicted_s) rows.add("predicted", seconds(*e.predicted_s), predicted_reason(e));
  rows.add("regime", name(e.regime));
  add_crossovers(rows, e);
  add_tiling(rows, e);
  for (const cost::Alignment& one : e.alignments) {
    rows.add(&one == &e.alignments.front() ? "alignment" : "", "rows of ", one.tensor, " (",
             one.dimension, "): ", cost::whole_text(one.row_bytes), " bytes, aligned to ",
             cost::whole_text(one.aligned_to));
  }
  for (const auto& [key, value] : e.details) {
    std::string label = key;
    std::ranges::replace(label, '_', ' ');
    rows.add(label, detail_text(key, value));
  }
  for (const cost::Advice& one : e.advice) {
    rows.add(&one == &e.advice.front() ? "advice" : "", one.change, ": ", seconds(one.gain_s),
             " less");
  }
  for (const std::string& notice : e.notices) rows.add("note", notice);
  return std::move(rows.text());
}

ordered_json roofline_json(const Estimate& e) {
  ordered_json json = {{"operation", e.operation},
                       {"device", e.sheet},
                       {"sheet_version", e.sheet_version},
                       {"convention", kConvention},
                       {"flops", number(e.flops)},
                       {"bytes", number(e.bytes)},
                       {"network_bytes", number(e.network_bytes)},
                       {"intensity", e.intensity},
                       {"ridge", or_null(e.ridge)},
                       {"t_math_s", e.t_math_s},
                       {"t_special_s", or_null(e.t_special_s)},
                       {"t_comms_s", e.t_comms_s},
                       {"t_memory_s", e.t_memory_s},
                       {"t_network_s", e.t_network_s},
                       {"floor_s", e.floor_s},
                       {"predicted_s", or_null(e.predicted_s)},
                       {"lower_s", e.lower_s},
                       {"upper_s", e.upper_s},
                       {"launch_s", or_null(e.launch_s)},
                       {"regime", name(e.regime)},
                       {"crossover_batch", or_null(e.crossover_batch)}};
  ordered_json& crossovers = json["crossovers"] = ordered_json::object();
  for (const auto& one : e.crossovers) crossovers[one.dimension] = or_null(one.at);
  const bool is_tiled = e.tiling.has_value();
  json["tile"] = is_tiled ? ordered_json(to_text(e.tiling->tile)) : ordered_json(nullptr);
  json["tiles"] = is_tiled ? number(e.tiling->tiles) : ordered_json(nullptr);
  json["waves"] = is_tiled && e.tiling->waves ? number(*e.tiling->waves) : ordered_json(nullptr);
  json["quantization_waste"] = is_tiled ? ordered_json(e.tiling->waste) : ordered_json(nullptr);
  if (is_tiled) {
    json["lines_under_tile"] = number(e.tiling->lines);
    json["aligned_lines_under_tile"] = number(e.tiling->aligned_lines);
    json["issued_bytes"] = number(e.tiling->issued_bytes);
  }
  ordered_json& alignments = json["alignment"] = ordered_json::array();
  for (const auto& one : e.alignments) {
    alignments.push_back({{"tensor", one.tensor},
                          {"dimension", one.dimension},
                          {"row_bytes", number(one.row_bytes)},
                          {"aligned_to", number(one.aligned_to)}});
  }
  ordered_json& parts = json["parts"] = ordered_json::array();
  for (const auto& part : e.parts) {
    parts.push_back({{"name", part.name},
                     {"flops", number(part.flops)},
                     {"bytes", number(part.bytes)},
                     {"t_math_s", part.math_s},
                     {"t_memory_s", part.memory_s},
                     {"t_network_s", part.network_s}});
  }
  for (const auto& [key, value] : e.details) json[key] = number(value);
  ordered_json& advice = json["advice"] = ordered_json::array();
  for (const auto& one : e.advice) {
    advice.push_back({{"change", one.change}, {"gain", one.gain_s}});
  }
  json["rates"] = e.rates;
  json["notices"] = e.notices;
  return json;
}

}  // namespace ridge::command
