#include <algorithm>
#include <array>

#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/expr/function.h"

namespace ridge::cost {
namespace {

constexpr std::array<std::string_view, 6> kFloats = {"bf16", "f16", "f8", "tf32", "f32", "f64"};
constexpr std::array<std::string_view, 3> kIntegers = {"i8", "i4", "i32"};

void add_rates(std::vector<FigureKey>& keys) {
  const auto add_matrix = [&](std::string_view dtype, Unit unit) {
    for (const std::string_view ending : {"", ".narrow", ".sparse"}) {
      keys.push_back({concat("matrix.", dtype, ending), unit});
    }
  };
  for (const std::string_view dtype : kFloats) add_matrix(dtype, Unit::flops_per_second);
  for (const std::string_view dtype : {"i8", "i4"}) add_matrix(dtype, Unit::ops_per_second);
  for (const std::string_view dtype : kFloats) {
    keys.push_back({concat("vector.", dtype, ".fma"), Unit::flops_per_second});
    keys.push_back({concat("vector.", dtype), Unit::flops_per_second});
  }
  for (const std::string_view dtype : kFloats) {
    keys.push_back({concat("special.", dtype), Unit::ops_per_second});
  }
  for (const std::string_view dtype : kFloats) {
    keys.push_back({concat("sustained.", dtype), Unit::flops_per_second});
  }
  for (const std::string_view dtype : kFloats) {
    keys.push_back({concat("library.", dtype), Unit::flops_per_second});
    keys.push_back({concat("library.", dtype, ".ragged"), Unit::flops_per_second});
  }
  keys.push_back({"integer.i32", Unit::ops_per_second});
}

void add_memory(std::vector<FigureKey>& keys, const std::string& level) {
  for (const std::string_view ending : {".read", ".write", ".copy"}) {
    keys.push_back({concat(level, ending), Unit::bytes_per_second});
  }
  keys.push_back({level + ".bytes", Unit::bytes});
  keys.push_back({level + ".latency", Unit::seconds});
}

// Rates summed over all cores; one core of a CPU often has more than its share.
void add_rates_of_one(std::vector<FigureKey>& keys) {
  const size_t count = keys.size();
  for (size_t i = 0; i < count; ++i) {
    const Unit unit = keys[i].unit;
    const bool is_rate = unit == Unit::flops_per_second || unit == Unit::ops_per_second ||
                         unit == Unit::bytes_per_second;
    if (is_rate) keys.push_back({keys[i].name + ".one", unit});
  }
}

std::vector<FigureKey> make_keys() {
  std::vector<FigureKey> keys;
  add_rates(keys);
  keys.push_back({"dram.peak", Unit::bytes_per_second});
  keys.push_back({"dram.stream", Unit::bytes_per_second});
  keys.push_back({"dram.start", Unit::seconds});
  keys.push_back({"bulk.read", Unit::bytes_per_second});
  for (const char* level : {"dram", "l3", "l2", "l1", "shared"}) add_memory(keys, level);
  for (const char* level : {"l1", "l2", "l3", "dram"}) {
    keys.push_back({concat("gather.", level), Unit::ops_per_second});
  }
  for (int i = 0; i < expr::kFunctionCount; ++i) {
    const auto function = static_cast<expr::Function>(i);
    const std::string key = concat("function.", expr::info(function).name);
    keys.push_back({key, Unit::ops_per_second});
    keys.push_back({key + ".peak", Unit::ops_per_second});
  }
  for (const char* time : {"launch", "launch.gap", "barrier", "barrier.cluster", "block", "task",
                           "loop", "combine", "vector.latency", "tlb", "bulk.latency"}) {
    keys.push_back({time, Unit::seconds});
  }
  for (const char* count : {"units", "units.usable", "units.cluster", "lanes", "registers",
                            "threads", "cluster", "arch"}) {
    keys.push_back({count, Unit::count});
  }
  for (const char* bytes : {"line", "sector", "burst", "l3.usable", "tlb.bytes"})
    keys.push_back({bytes, Unit::bytes});
  for (const char* clock : {"clock", "clock.matrix"}) keys.push_back({clock, Unit::hertz});
  for (const char* link : {"link.host", "link.device"}) {
    keys.push_back({link, Unit::bytes_per_second});
    keys.push_back({concat(link, ".links"), Unit::count});
    keys.push_back({concat(link, ".latency"), Unit::seconds});
  }
  keys.push_back({"link.reduces", Unit::count});
  add_rates_of_one(keys);
  return keys;
}

}  // namespace

const std::vector<FigureKey>& figure_keys() {
  // Never destroyed: static destructors of the host may still compile.
  static const std::vector<FigureKey>& keys = *new std::vector<FigureKey>(make_keys());
  return keys;
}

size_t rank_of(std::string_view key) {
  const auto& keys = figure_keys();
  const auto found = std::ranges::find(keys, key, &FigureKey::name);
  return static_cast<size_t>(found - keys.begin());
}

std::optional<Unit> unit_of(std::string_view key) {
  const size_t rank = rank_of(key);
  if (rank == figure_keys().size()) return std::nullopt;
  return figure_keys()[rank].unit;
}

bool is_matrix_key(std::string_view key) { return key.starts_with("matrix."); }

bool is_sparse_key(std::string_view key) { return key.ends_with(".sparse"); }

bool is_link_bandwidth(std::string_view key) { return key == "link.host" || key == "link.device"; }

bool is_figure_dtype(std::string_view text) {
  return std::ranges::find(kFloats, text) != kFloats.end() ||
         std::ranges::find(kIntegers, text) != kIntegers.end();
}

}  // namespace ridge::cost
