#include "ridge/models/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../capture/compiled.h"
#include "ridge/models/gpt2.h"
#include "ridge/models/llama.h"
#include "ridge/models/skeleton.h"

namespace ridge::testing::generate_test {
namespace {

models::Llama small_llama() {
  models::LlamaConfig config;
  config.vocabulary = 31;
  config.width = 16;
  config.hidden = 24;
  config.layers = 2;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_width = 4;
  config.context = 40;
  models::Llama model(config);
  Generator generator(7);
  models::randomize(model, generator);
  for_each_parameter(model, [](const std::string&, Tensor& t) {
    if (t.rank() > 1) t = t * 20.0;  // so that texts are not one token repeated
  });
  return model;
}

models::Gpt2 small_gpt2() {
  models::Gpt2 model(
      {.vocabulary = 31, .width = 16, .hidden = 24, .layers = 2, .heads = 4, .context = 40});
  Generator generator(7);
  models::randomize(model, generator);
  for_each_parameter(model, [](const std::string&, Tensor& t) {
    if (t.rank() > 1) t = t * 20.0;
  });
  return model;
}

// The likeliest next token of the whole text, computed anew for each.
template <class Model>
std::vector<int64_t> without_cache(const Model& model, std::vector<int64_t> text, int64_t count) {
  std::vector<int64_t> tokens;
  for (int64_t i = 0; i < count; ++i) {
    const auto length = static_cast<int64_t>(text.size());
    const Tensor logits = model(Tensor::of(text, {1, length}));
    text.push_back(argmax(logits[0][length - 1], 0).template item<int64_t>());
    tokens.push_back(text.back());
  }
  return tokens;
}

const std::vector<int64_t> kPrompt = {3, 14, 15, 9, 26, 5, 3};

template <class Model>
void check_greedy(const Model& model) {
  models::TextSession session(model, {.block = 4});
  const models::Generated text = session.generate(kPrompt, {.most_tokens = 12});
  EXPECT_EQ(text.tokens, without_cache(model, kPrompt, 12));
  EXPECT_EQ(text.prompt_tokens, 7);
  EXPECT_EQ(session.length(), 7 + 11);  // the last token has not been fed
  EXPECT_EQ(session.token_programs(), 1U) << "nothing is compiled again as the cache grows";
  EXPECT_EQ(session.prompt_programs(), 2U)
      << "one for the start of a text, one for all that follows";

  session.clear();
  EXPECT_EQ(session.generate(kPrompt, {.most_tokens = 12}).tokens, text.tokens);
  EXPECT_EQ(session.token_programs() + session.prompt_programs(), 3U);
}

TEST(Generate, LlamaWithACacheGivesTheSameText) { check_greedy(small_llama()); }
TEST(Generate, Gpt2WithACacheGivesTheSameText) { check_greedy(small_gpt2()); }

TEST(Generate, StopsWhereItIsTold) {
  models::TextSession session(small_gpt2(), {.block = 8});
  const std::vector<int64_t> whole = session.generate(kPrompt, {.most_tokens = 10}).tokens;
  session.clear();
  const auto stopped = session.generate(kPrompt, {.most_tokens = 10, .stop = {whole[4]}});
  EXPECT_TRUE(stopped.has_stopped);
  EXPECT_LE(stopped.tokens.size(), 4U);
  session.clear();
  int calls = 0;
  const auto called = session.generate(
      kPrompt, {.most_tokens = 10, .on_token = [&](int64_t) { return ++calls < 3; }});
  EXPECT_EQ(called.tokens.size(), 3U);
  EXPECT_TRUE(called.has_stopped);
}

TEST(Generate, TheContextIsALimit) {
  models::TextSession session(small_gpt2(), {.capacity = 10, .block = 8});
  const auto text = session.generate(kPrompt, {.most_tokens = 100});
  EXPECT_EQ(text.tokens.size(), 4U);  // three more in the cache, and one that follows
  EXPECT_FALSE(text.has_stopped);
  session.clear();
  try {
    session.generate(std::vector<int64_t>(11, 1));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at most 10 tokens"), std::string::npos);
  }
  EXPECT_THROW(session.generate({}), Error);
  EXPECT_THROW(models::TextSession(small_gpt2(), {.capacity = 41}), Error);
}

TEST(Generate, TokensAreOfTheVocabulary) {
  models::TextSession session(small_gpt2(), {.block = 4});
  const auto check = [&](const auto& call, int line) {
    try {
      call();
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::value);
      EXPECT_EQ(static_cast<int>(error.where()->line()), line);
      const std::string text = error.what();
      EXPECT_NE(text.find("vocabulary of 31"), std::string::npos) << text;
      EXPECT_NE(text.find("31 at place 5"), std::string::npos) << text;
    }
  };
  const std::vector<int64_t> bad = {1, 2, 3, 4, 5, 31};
  check([&] { session.generate(bad); }, __LINE__);
  EXPECT_EQ(session.length(), 0) << "nothing was fed";
  check([&] { session.run(bad); }, __LINE__);
  EXPECT_THROW(session.generate(std::vector<int64_t>{-1}), Error);
}

TEST(Sample, SaysHowManyLogitsAreNoNumbers) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Generator generator(1);
  try {
    models::sample(std::vector{1.0f, kNan, kInfinity, kNan}, {}, generator);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("4 logits, 2 of them NaN and 1 infinite"), std::string::npos) << text;
    EXPECT_NE(text.find("the model file may be damaged"), std::string::npos) << text;
  }
}

TEST(Sample, FollowsItsOptions) {
  const std::vector<float> logits = {1, 3, 2, -1};
  Generator generator(1);
  EXPECT_EQ(models::sample(logits, {}, generator), 1);
  EXPECT_EQ(models::sample(logits, {.temperature = 1, .top_k = 1}, generator), 1);
  EXPECT_EQ(models::sample(logits, {.temperature = 1, .top_p = 0.1}, generator), 1);
  std::vector<double> seen(4, 0);
  for (int i = 0; i < 400; ++i) {
    ++seen[static_cast<size_t>(models::sample(logits, {.temperature = 1, .top_k = 2}, generator))];
  }
  EXPECT_EQ(seen[0] + seen[3], 0);
  // Five deviations of a coin with probability e^3 / (e^3 + e^2).
  EXPECT_NEAR(seen[1] / 400, 1 / (1 + std::exp(-1.0)), 5 * 0.0222);
  EXPECT_THROW(models::sample(logits, {.temperature = -1}, generator), Error);
  EXPECT_THROW(models::sample({}, {}, generator), Error);
}

TEST(Sample, GreedyTakesTheFirstOfTheLargest) {
  Generator generator(1);
  for (size_t count = 1; count < 70; count += 3) {
    for (size_t at = 0; at < count; ++at) {
      std::vector<float> logits(count, -2.5F);
      logits[at] = logits[count - 1] = -1.25F;
      EXPECT_EQ(models::sample(logits, {}, generator), static_cast<int64_t>(at)) << count;
      if (at > 0) logits[at - 1] = -std::numeric_limits<float>::infinity();
      EXPECT_EQ(models::sample(logits, {}, generator), static_cast<int64_t>(at)) << count;
    }
  }
}

TEST(Sample, TemperaturesNearZeroTakeTheLikeliest) {
  Generator generator(1);
  const std::vector<float> logits = {1, 3, 2, -1};
  EXPECT_EQ(models::sample(logits, {.temperature = 1e-310}, generator), 1);
  EXPECT_EQ(models::sample(logits, {.temperature = 1e-310, .top_p = 0.9}, generator), 1);
}

TEST(Sample, WhatIsMinusInfinityIsNeverDrawn) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  Generator generator(1);
  EXPECT_EQ(models::sample(std::vector{kNever, 1.0f}, {.temperature = 1}, generator), 1);
  const std::vector<float> none(3, kNever);
  EXPECT_THROW(models::sample(none, {}, generator), Error);
  EXPECT_THROW(models::sample(none, {.temperature = 1}, generator), Error);
}

// Qwen2-0.5B has 151936 logits for the 151646 tokens of its tokenizer.json.
TEST(Sample, IdsBeyondTheVocabularyAreNeverDrawn) {
  Generator generator(1);
  const std::vector<float> logits = {1, 3, 2, 9, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(models::sample(logits, {.vocabulary = 3}, generator), 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_LT(models::sample(logits, {.temperature = 5, .vocabulary = 3}, generator), 3);
    EXPECT_LT(models::sample(logits, {.temperature = 5, .top_k = 4, .vocabulary = 3}, generator),
              3);
    EXPECT_LT(
        models::sample(logits, {.temperature = 5, .top_p = 1 - 1e-9, .vocabulary = 3}, generator),
        3);
  }
  EXPECT_EQ(models::sample(std::vector{1.0f, 2.0f}, {.vocabulary = 9}, generator), 1);
  EXPECT_THROW(models::sample(logits, {.vocabulary = -1}, generator), Error);

  models::TextSession session(small_gpt2(), {.block = 8});
  const auto largest = [&](int64_t vocabulary) {
    session.clear();
    return std::ranges::max(
        session
            .generate(kPrompt,
                      {.most_tokens = 20, .sampling = {.temperature = 1, .vocabulary = vocabulary}})
            .tokens);
  };
  EXPECT_GE(largest(0), 20);
  EXPECT_LT(largest(20), 20);
}

TEST(Sample, ASeedRepeatsATextExactly) {
  models::TextSession session(small_gpt2(), {.block = 8});
  const models::GenerateOptions options = {
      .most_tokens = 8, .sampling = {.temperature = 1}, .seed = 5};
  const auto first = session.generate(kPrompt, options).tokens;
  session.clear();
  EXPECT_EQ(session.generate(kPrompt, options).tokens, first);
}

}  // namespace
}  // namespace ridge::testing::generate_test
