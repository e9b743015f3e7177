// Trained models from packages, against what other implementations give for them.
//
// `tools/get_model smollm2 minilm` fetches them into build/models. Where they are missing tests are skipped, and where the
// variable CI is "true" that is a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "ridge/models/bert.h"
#include "ridge/models/generate.h"
#include "ridge/models/llama.h"
#include "ridge/ridge.h"

namespace ridge::testing::packages_test {
namespace {

std::filesystem::path model(const std::string& name) {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "build/models" / name;
}

#define RIDGE_NEED(path)                                                                   \
  if (!std::filesystem::exists(path)) {                                                    \
    const char* ci = std::getenv("CI");                                                    \
    if (ci != nullptr && std::string(ci) == "true") FAIL() << (path) << " does not exist"; \
    GTEST_SKIP() << (path) << " does not exist: tools/get_model fetches it";               \
  }

// "The capital of France is"
const std::vector<int64_t> kFrance = {504, 3575, 282, 4649, 314};
// What transformers 5.23 goes on with in f32, taking the likeliest token each time (greedy.py).
const std::vector<int64_t> kGreedy = {
    7042, 30,   198, 198, 504,  2988, 314, 42,  216, 34, 32, 33, 40,  29, 32,  33,
    29,   34,   34,  216, 33,   34,   42,  33,  34,  42, 37, 35, 30,  2,  198, 1,
    520,  9531, 198, 504, 2988, 314,  42,  216, 34,  32, 33, 40, 29,  32, 33,  29,
    34,   34,   216, 33,  34,   42,   33,  34,  42,  37, 35, 2,  198, 2,  1,   9690};

TEST(Packages, SmolLm2NamesTheCapitalOfFrance) {
  const auto path = model("smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
  RIDGE_NEED(path);
  models::TextSession session(models::open_llama(path), {.capacity = 256});
  const std::vector<float> logits = session.run(kFrance);
  const auto best = std::ranges::max_element(logits);
  EXPECT_EQ(best - logits.begin(), 7042);
  EXPECT_NEAR(*best, 17.37, 0.01);

  session.clear();
  EXPECT_EQ(session.generate(kFrance, {.most_tokens = 64}).tokens, kGreedy);
  EXPECT_EQ(session.token_programs(), 1U);
}

double cosine(const Tensor& a, const Tensor& b) { return sum(a * b).item<double>(); }

TEST(Packages, MiniLmKnowsACatFromATaxReport) {
  const auto path = model("minilm");
  RIDGE_NEED(path);
  const models::Bert minilm = models::open_bert(path);
  const auto embed = [&](const std::vector<int64_t>& ids) {
    return minilm.embed(Tensor::of(ids, {1, static_cast<int64_t>(ids.size())}));
  };
  const Tensor cat =
      embed({101, 1037, 4937, 7719, 2006, 1996, 13523, 102});  // a cat sits on the mat
  const Tensor kitten =
      embed({101, 1037, 18401, 16626, 2006, 1037, 20452, 102});  // a kitten rests on a rug
  const Tensor tax = embed({101, 12174, 4171, 3189, 102});       // quarterly tax report
  EXPECT_NEAR(cosine(cat, kitten), 0.6601, 1e-4);
  EXPECT_NEAR(cosine(cat, tax), 0.0423, 1e-4);
}

}  // namespace
}  // namespace ridge::testing::packages_test
