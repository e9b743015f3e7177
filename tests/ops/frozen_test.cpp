// Values against PyTorch's, frozen in frozen/<op>.json by frozen/make_frozen.py.
//
// The sample calls themselves are written by the disabled test at the end:
//   build/release/bin/ridge_ops_tests --gtest_also_run_disabled_tests --gtest_filter='*WriteSamples'
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "cases.h"
#include "closeness.h"
#include "frozen_json.h"

namespace ridge::testing::frozen_test {
namespace {

using nlohmann::json;

std::filesystem::path frozen_file(const ops::OpRecord& record) {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/ops/frozen" /
         (record.op->name() + ".json");
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
}  // namespace ridge::testing::frozen_test
