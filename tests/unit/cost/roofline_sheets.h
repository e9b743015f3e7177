// Sheets with round figures, built in code: what the model must give for them is known by hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/sheet.h"

namespace ridge::cost::test {

inline Sheet make_sheet(std::string name, SheetKind kind,
                        const std::vector<std::pair<std::string, double>>& figures) {
  Sheet sheet;
  sheet.name = std::move(name);
  sheet.kind = kind;
  sheet.version = "2026-01-01";
  for (const auto& [key, value] : figures) {
    Figure figure;
    figure.value = value;
    sheet.figures.emplace(key, figure);
  }
  return sheet;
}

inline Sheet tpu_v5e() {
  return make_sheet("tpu-v5e", SheetKind::tpu,
                    {{"matrix.bf16", 197e12},
                     {"matrix.i8", 394e12},
                     {"dram.peak", 8.1e11},
                     {"link.device", 180e9},
                     {"link.device.links", 4}});
}

inline Sheet a100() {
  return make_sheet("a100", SheetKind::gpu,
                    {{"matrix.bf16", 312e12},
                     {"matrix.tf32", 156e12},
                     {"vector.f32.fma", 19.5e12},
                     {"dram.peak", 1.5e12},
                     {"units", 108},
                     {"line", 128},
                     {"l2.bytes", 40e6},
                     {"launch", 3e-6},
                     {"link.device", 300e9}});
}

inline Sheet h100() {
  return make_sheet("h100", SheetKind::gpu,
                    {{"matrix.bf16", 989e12},
                     {"matrix.i8", 1979e12},
                     {"vector.f32.fma", 67e12},
                     {"special.f32", 3.9e12},
                     {"dram.peak", 3.35e12},
                     {"units", 132},
                     {"line", 128},
                     {"l2.bytes", 50e6},
                     {"link.device", 450e9},
                     {"link.reduces", 1}});
}

// The query as `ridge roofline OPERATION SHAPE` would make it; the test sets options on it.
inline Query query_for(const Sheet& sheet, std::string_view operation, std::string_view shape,
                       std::string_view dtype = "bf16") {
  Query query;
  query.sheet = &sheet;
  query.sizes = parse_sizes(shape, find_operation(operation).dimensions);
  query.dtype = find_element_type(dtype);
  return query;
}

inline Estimate estimate(std::string_view operation, const Query& query) {
  return find_operation(operation).estimate(query);
}

// What one kind of operation adds; the test fails where it is not there.
inline double detail(const Estimate& estimate, std::string_view name) {
  for (const auto& [key, value] : estimate.details) {
    if (key == name) return value;
  }
  ADD_FAILURE() << name;
  return 0;
}

// How many notices hold `words`.
inline int64_t notices_with(const Estimate& estimate, std::string_view words) {
  return std::ranges::count_if(estimate.notices, [&](const std::string& notice) {
    return notice.find(words) != std::string::npos;
  });
}

}  // namespace ridge::cost::test
