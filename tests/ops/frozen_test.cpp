// Values against PyTorch's, frozen in frozen/<op>.json by frozen/make_frozen.py.
//
// The sample calls themselves are written by the disabled test at the end:
//   build/release/bin/ridge_ops_tests --gtest_also_run_disabled_tests --gtest_filter='*WriteSamples'
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cases.h"
#include "closeness.h"
#include "extreme_cases.h"
#include "frozen_json.h"

namespace ridge::testing::frozen_test {
namespace {

using nlohmann::json;

std::filesystem::path frozen_file(const ops::OpRecord& record) {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/ops/frozen" /
         (record.op->name() + ".json");
}

// Random numbers have no counterpart: they are those of ops/random.h by definition. Blocks of quantized numbers
// are GGUF's: tests/unit/nn/quantize_test.cpp holds them to files/dequantize.h, which has values frozen of its own.
bool has_counterpart(const ops::OpRecord& record) {
  const bool is_gguf = record.op->name() == "dequantize";  // matches: what only GGUF defines
  return !has(record.traits, ops::Trait::Random) && !is_gguf;
}

bool has_extremes(const ops::OpRecord& record) {
  const std::vector<DType> dtypes = ops::accepted_dtypes(record);
  return std::ranges::find(dtypes, f32) != dtypes.end() && !extreme_cases_of(record, f32).empty();
}

const bool kRegistered = for_each_op("Frozen", [](const ops::OpRecord& record) {
  if (!has_counterpart(record)) return;
  std::ifstream file(frozen_file(record));
  ASSERT_TRUE(file) << "no frozen values: make " << frozen_file(record) << " as its folder says";
  const json frozen = json::parse(file);
  EXPECT_FALSE(frozen.at("cases").empty());
  bool is_extreme = false;
  for (const json& entry : frozen.at("cases")) {
    OpCase c{&record, f32, entry.at("sample").get<size_t>(), {}};
    is_extreme |= c.index >= kFirstExtreme;
    c.dtype = find_dtype(entry.at("dtype").get<std::string>()).value();
    for (const json& arg : entry.at("args")) c.args.push_back(value_from_json(arg));
    dispatch::Tensors expected;
    for (const json& result : entry.at("results")) expected.push_back(tensor_from_json(result));
    expect_results(c, c.run(), expected);
  }
  EXPECT_EQ(is_extreme, has_extremes(record)) << "made before the op had such samples";
});

TEST(FrozenSamples, DISABLED_WriteSamples) {
  json all = json::array();
  for (const ops::OpRecord* record : ops::registry().all()) {
    for (const DType dtype : ops::accepted_dtypes(*record)) {
      for (const OpCase& c : all_cases_of(*record, dtype)) {
        json args = json::array();
        for (const dispatch::Value& value : c.args) args.push_back(to_json(value));
        all.push_back({{"op", record->op->name()},
                       {"dtype", name(dtype)},
                       {"sample", c.index},
                       {"is_pointwise", has(record->traits, ops::Trait::Pointwise)},
                       {"args", std::move(args)}});
      }
    }
  }
  std::ofstream("samples.json") << all.dump();
}

}  // namespace
}  // namespace ridge::testing::frozen_test
