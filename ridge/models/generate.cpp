#include "ridge/models/generate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "ridge/base/text.h"

namespace ridge::models {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void check_sampling(const Sampling& sampling, Location where) {
  const bool is_possible = sampling.temperature >= 0 && std::isfinite(sampling.temperature) &&
                           sampling.top_k >= 0 && sampling.top_p > 0 && sampling.top_p <= 1 &&
                           sampling.vocabulary >= 0;
  RIDGE_CHECK(is_possible, .code = ErrorCode::value, .op = "sample",
              .expected = "a temperature, top_k and vocabulary of at least 0, top_p in (0, 1]",
              .given = concat(sampling.temperature, ", ", sampling.top_k, ", ", sampling.vocabulary,
                              " and ", sampling.top_p),
              .where = where);
}

struct Extreme {
  float largest;    // where none is NaN
  bool are_finite;  // all of them
};

// Once over the logits, without branches, in lanes that do not wait for each other: all threads but this one rest.
Extreme find_extreme(std::span<const float> logits) {
  constexpr size_t kAtOnce = 16;
  std::array<float, kAtOnce> largest, zero{};
  largest.fill(logits.empty() ? 0 : logits[0]);
  const auto take = [&](size_t lane, float x) {
    largest[lane] = x > largest[lane] ? x : largest[lane];
    zero[lane] += x * 0.0F;  // NaN, where it is not finite
  };
  size_t i = 0;
  for (; i + kAtOnce <= logits.size(); i += kAtOnce) {
    for (size_t lane = 0; lane < kAtOnce; ++lane) take(lane, logits[i + lane]);
  }
  for (; i < logits.size(); ++i) take(0, logits[i]);
  const bool are_finite = std::ranges::all_of(zero, [](float x) { return x == 0; });
  return {std::ranges::max(largest), are_finite && !logits.empty()};
}

// Minus infinity is a token that is never drawn.
void check_logits(std::span<const float> logits, Location where) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto is_finite = [](float x) { return std::isfinite(x); };
  const auto nans = std::ranges::count_if(logits, [](float x) { return std::isnan(x); });
  const auto infinities = std::ranges::count(logits, kInfinity);
  const bool has_finite = std::ranges::any_of(logits, is_finite);
  RIDGE_CHECK(nans == 0 && infinities == 0 && has_finite, .code = ErrorCode::value, .op = "sample",
              .expected = "logits without NaN or infinity, at least one of them finite",
              .given = concat(logits.size(), " logits, ", nans, " of them NaN and ", infinities,
                              " infinite"),
              .hint = logits.empty() ? "" : "the model file may be damaged", .where = where);
}

// The candidates in order of their logits; those that cannot be drawn are left out. Equal ones stand
// as in the vocabulary.
std::vector<int64_t> candidates(std::span<const float> logits, const Sampling& sampling) {
  std::vector<int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto is_before = [&](int64_t a, int64_t b) {
    const float x = logits[static_cast<size_t>(a)], y = logits[static_cast<size_t>(b)];
    return x != y ? x > y : a < b;
  };
  if (sampling.top_k > 0 && sampling.top_k < static_cast<int64_t>(order.size())) {
    std::partial_sort(order.begin(), order.begin() + sampling.top_k, order.end(), is_before);
    order.resize(static_cast<size_t>(sampling.top_k));
  } else if (sampling.top_p < 1) {
    std::ranges::sort(order, is_before);
  }
  if (sampling.top_p == 1) return order;

  const double top = logits[static_cast<size_t>(order[0])];
  const auto weight = [&](int64_t id) {
    return std::exp((logits[static_cast<size_t>(id)] - top) / sampling.temperature);
  };
  double total = 0, kept = 0;
  for (const int64_t id : order) total += weight(id);
  size_t count = 0;
  while (count < order.size() && kept < sampling.top_p * total) kept += weight(order[count++]);
  order.resize(std::max<size_t>(count, 1));
  return order;
}

}  // namespace

int64_t sample(std::span<const float> logits, const Sampling& sampling, Generator& generator,
               Location where) {
  check_sampling(sampling, where);
  if (sampling.vocabulary > 0) {
    logits = logits.first(std::min(logits.size(), static_cast<size_t>(sampling.vocabulary)));
  }
  const Extreme extreme = find_extreme(logits);
  if (!extreme.are_finite) check_logits(logits, where);
  if (sampling.temperature == 0) {
    return std::ranges::find(logits, extreme.largest) - logits.begin();
  }
  const std::vector<int64_t> ids = candidates(logits, sampling);
  // By what they are below the largest, which is 0 then: no temperature is so low that it overflows.
  const double top = std::ranges::max(logits);
  std::vector<double> scaled;
  for (const int64_t id : ids)
    scaled.push_back((logits[static_cast<size_t>(id)] - top) / sampling.temperature);
  const auto count = static_cast<int64_t>(ids.size());
  const Tensor drawn = categorical(At(Tensor::of(scaled, {count}, where), where), generator);
  return ids[static_cast<size_t>(drawn.item<int64_t>(where))];
}

namespace detail {

int64_t checked_capacity(const SessionOptions& options, int64_t context, Location where) {
  const int64_t capacity = options.capacity > 0 ? options.capacity : context;
  RIDGE_CHECK(capacity >= 2 && capacity <= context && options.block >= 2, .code = ErrorCode::value,
              .op = "TextSession",
              .expected = concat("a capacity from 2 to the context of the model, ", context,
                                 ", and blocks of at least 2 tokens"),
              .given = concat(options.capacity, " and ", options.block), .where = where);
  return capacity;
}

void check_tokens(std::span<const int64_t> tokens, int64_t vocabulary, Location where) {
  const auto bad =
      std::ranges::find_if(tokens, [&](int64_t id) { return id < 0 || id >= vocabulary; });
  if (bad == tokens.end()) return;
  throw_error({.code = ErrorCode::value,
               .op = "generate",
               .expected = concat("tokens from 0 to ", vocabulary - 1,
                                  ", of the model's vocabulary of ", vocabulary),
               .given = concat(*bad, " at place ", bad - tokens.begin()),
               .where = where});
}

namespace {

void check_prompt(std::span<const int64_t> prompt, int64_t length, int64_t capacity,
                  const GenerateOptions& options, Location where) {
  const auto count = static_cast<int64_t>(prompt.size());
  RIDGE_CHECK(count > 0 && options.most_tokens > 0, .code = ErrorCode::value, .op = "generate",
              .expected = "a prompt of at least one token, and at least one token to generate",
              .given = concat(count, " and ", options.most_tokens), .where = where);
  RIDGE_CHECK(length + count < capacity + 1, .code = ErrorCode::value, .op = "generate",
              .expected = concat("a text of at most ", capacity, " tokens, the context"),
              .given = concat("a prompt of ", count, " tokens after ", length, " others"),
              .where = where);
}

}  // namespace

Generated generate(const Feed& feed, std::span<const int64_t> prompt, int64_t length,
                   int64_t capacity, int64_t block, const GenerateOptions& options,
                   Location where) {
  check_prompt(prompt, length, capacity, options, where);
  Generator generator(options.seed);
  Generated result;
  result.prompt_tokens = static_cast<int64_t>(prompt.size());

  auto start = std::chrono::steady_clock::now();
  std::vector<float> logits;
  for (size_t at = 0; at < prompt.size(); at += static_cast<size_t>(block)) {
    logits = feed(prompt.subspan(at, std::min(static_cast<size_t>(block), prompt.size() - at)));
  }
  result.prompt_seconds = seconds_since(start);
  length += result.prompt_tokens;

  start = std::chrono::steady_clock::now();
  for (;;) {
    const int64_t token = sample(logits, options.sampling, generator, where);
    result.has_stopped = std::ranges::find(options.stop, token) != options.stop.end();
    if (result.has_stopped) break;
    result.tokens.push_back(token);
    if (options.on_token && !options.on_token(token)) result.has_stopped = true;
    const bool is_full = static_cast<int64_t>(result.tokens.size()) >= options.most_tokens;
    if (result.has_stopped || is_full || length >= capacity) break;
    logits = feed({&token, 1});
    ++length;
    if (result.tokens.size() == 1) {
      result.first_step_seconds = seconds_since(start);
      start = std::chrono::steady_clock::now();
    }
  }
  if (result.tokens.size() > 2) result.token_seconds = seconds_since(start);
  return result;
}

}  // namespace detail
}  // namespace ridge::models
