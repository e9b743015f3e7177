// Values against PyTorch's, frozen in frozen/<op>.json by frozen/make_frozen.py.
//
// The sample calls themselves are written by the disabled test at the end:
//   build/release/bin/ridge_ops_tests --gtest_also_run_disabled_tests --gtest_filter='*WriteSamples'
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cases.h"
#include "frozen_json.h"

namespace ridge::testing {
namespace {

using nlohmann::json;

std::filesystem::path frozen_file(const ops::OpRecord& record) {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/ops/frozen" /
         (record.op->name() + ".json");
}

// How many values can have been added up on the way to one result: no sum is longer than the
// largest operand.
double reduction_length(const std::vector<dispatch::Value>& args) {
  int64_t longest = 1;
  const auto look = [&](const Tensor& t) {
    longest = std::max(longest, t.defined() ? *t.numel().known() : 1);
    return t;
  };
  map_tensors(args, look);
  return static_cast<double>(longest);
}

// Both sides round: PyTorch its intermediates in the dtype (f32 for 16-bit types) and the result,
// we the result. Errors of a sum grow with the square root of its length, relative to its largest
// terms, for which the largest result stands.
double tolerance(DType dtype, double length, double largest, double value) {
  const double result_rounding = epsilon(dtype) * std::abs(value);
  const double working = std::max(epsilon(dtype == f64 ? f64 : f32), 1e-15);
  return result_rounding + working * (8 + 2 * std::sqrt(length)) * std::max(1.0, largest);
}

double largest_finite(const std::vector<double>& values) {
  double largest = 0;
  for (double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

void expect_close(const Tensor& ours, const Tensor& theirs, double length,
                  const std::string& text) {
  ASSERT_EQ(to_text(ours.shape()), to_text(theirs.shape())) << text;
  ASSERT_EQ(name(ours.dtype()), name(theirs.dtype())) << text;
  const std::vector<double> a = ours.to_vector<double>();
  const std::vector<double> b = theirs.to_vector<double>();
  const double largest = largest_finite(b);
  for (size_t i = 0; i < a.size(); ++i) {
    const bool same_kind = std::isnan(a[i]) == std::isnan(b[i]);
    const bool is_equal = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    const double allowed =
        is_floating(ours.dtype()) ? tolerance(ours.dtype(), length, largest, b[i]) : 0;
    EXPECT_TRUE(is_equal || (same_kind && std::abs(a[i] - b[i]) <= allowed))
        << text << " element " << i << ": ours " << a[i] << ", PyTorch " << b[i] << ", allowed "
        << allowed;
  }
}

const bool kRegistered = for_each_op("Frozen", [](const ops::OpRecord& record) {
  std::ifstream file(frozen_file(record));
  if (!file) {
    std::cout << "no frozen values for " << record.op->name() << "\n";
    return;
  }
  const json frozen = json::parse(file);
  EXPECT_FALSE(frozen.at("cases").empty());
  for (const json& entry : frozen.at("cases")) {
    OpCase c{&record, f32, entry.at("sample").get<size_t>(), {}};
    c.dtype = find_dtype(entry.at("dtype").get<std::string>()).value();
    for (const json& arg : entry.at("args")) c.args.push_back(value_from_json(arg));
    const dispatch::Tensors ours = c.run();
    const json& results = entry.at("results");
    ASSERT_EQ(ours.size(), results.size()) << c.text();
    for (size_t i = 0; i < ours.size(); ++i) {
      expect_close(ours[i], tensor_from_json(results[i]), reduction_length(c.args), c.text());
    }
  }
});

TEST(FrozenSamples, DISABLED_WriteSamples) {
  json all = json::array();
  for (const ops::OpRecord* record : ops::registry().all()) {
    for (const DType dtype : ops::accepted_dtypes(*record)) {
      for (const OpCase& c : cases_of(*record, dtype)) {
        json args = json::array();
        for (const dispatch::Value& value : c.args) args.push_back(to_json(value));
        all.push_back({{"op", record->op->name()},
                       {"dtype", name(dtype)},
                       {"sample", c.index},
                       {"args", std::move(args)}});
      }
    }
  }
  std::ofstream("samples.json") << all.dump();
}

}  // namespace
}  // namespace ridge::testing
