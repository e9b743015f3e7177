#include "ridge/cost/roofline/attention.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/roofline/tuning.h"

namespace ridge::cost {

namespace {

// Of a score: scale and subtract the maximum (an FMA), compare, exponentiate, add to the sum.
constexpr double kSoftmaxFlops = 5;

struct Softmax {
  double seconds = 0;
  const Rate* by = nullptr;  // the units it waits for; null where no figure times it
};

Softmax softmax_of(double scores, const AttentionRates& rates) {
  Softmax slowest;
  if (rates.vector) {
    slowest = {kSoftmaxFlops * scores / rates.vector->per_second, &*rates.vector};
  }
  const double special = rates.special ? scores / rates.special->per_second : 0;
  return special > slowest.seconds ? Softmax{special, &*rates.special} : slowest;
}

struct Elements {
  double queries, keys;  // of Q, and of K (or V)
};

Elements elements_of(const AttentionShape& s) {
  return {whole_product({s.batch, s.heads, s.queries, s.head_size}, "elements"),
          whole_product({s.batch, s.kv_heads, s.keys, s.head_size}, "elements")};
}

// Elements are counted whole, though passes over them need not be.
double flash_bytes(const Elements& elements, double passes, ElementType type) {
  return 2 * (elements.queries + std::round(passes * elements.keys)) * type.bytes;
}

Part timed(Part part, const AttentionRates& rates) {
  part.memory_s = part.bytes / rates.memory.per_second;
  return part;
}

AttentionShape shape_at(const Query& query, const Sizes& sizes) {
  AttentionShape shape{.batch = sizes["B"],
                       .heads = sizes["H"],
                       .kv_heads = query.kv_heads.value_or(sizes["H"]),
                       .queries = sizes["S"],
                       .keys = query.keys.value_or(sizes["S"]),
                       .head_size = sizes["D"],
                       .is_causal = query.is_causal};
  RIDGE_CHECK(std::fmod(shape.heads, shape.kv_heads) == 0, .code = ErrorCode::shape,
              .expected = "heads that the heads of keys and values divide",
              .given = concat(whole_text(shape.heads), " and ", whole_text(shape.kv_heads)));
  RIDGE_CHECK(!shape.is_causal || shape.keys >= shape.queries, .code = ErrorCode::shape,
              .expected = "with a causal mask at least as many keys as queries",
              .given = concat(whole_text(shape.keys), " and ", whole_text(shape.queries)));
  return shape;
}

}  // namespace

double AttentionShape::scores() const {
  const double masked = is_causal ? queries * (queries - 1) / 2 : 0;
  return whole_product({batch, heads, queries * keys - masked}, "scores");
}

double AttentionShape::passes(double query_rows) const {
  const double blocks = std::ceil(queries / query_rows);
  if (!is_causal) return blocks;
  // Block i ends with query (i + 1) query_rows, which sees that many keys and those before query 0;
  // the last block ends with the last query and sees all.
  const double seen = blocks * (keys - queries) + query_rows * blocks * (blocks - 1) / 2 + queries;
  return seen / keys;
}

AttentionRates attention_rates(Rates& rates, ElementType type) {
  const Sheet& sheet = rates.sheet();
  AttentionRates found{.matrix = rates.matrix(type, "attention"),
                       .memory = rates.memory("attention"),
                       .vector = std::nullopt,
                       .special = std::nullopt,
                       .l2_bytes = sheet.value("l2.bytes")};
  if (const auto value = sheet.value("vector.f32.fma")) found.vector = {*value, "vector.f32.fma"};
  if (const auto value = sheet.value("special.f32")) found.special = {*value, "special.f32"};
  if (!found.vector) rates.absent("vector.f32.fma", "the softmax is not timed by its flops");
  if (!found.special) rates.absent("special.f32", "exponentials are not timed");
  return found;
}

double passes_over_keys(const AttentionShape& shape, const AttentionRates& rates, ElementType type,
                        double query_rows) {
  const double of_one_head = 2 * shape.keys * shape.head_size * type.bytes;
  const bool stays = rates.l2_bytes && of_one_head <= tuning::kL2Share * *rates.l2_bytes;
  return stays ? 1 : shape.passes(query_rows);
}

std::vector<Part> naive_attention(const AttentionShape& shape, const AttentionRates& rates,
                                  ElementType type) {
  const Elements elements = elements_of(shape);
  // Without a fused kernel the mask saves nothing: all scores are computed, stored and read.
  AttentionShape unmasked = shape;
  unmasked.is_causal = false;
  const double scores = unmasked.scores();
  const double score_bytes = whole_product({scores, type.bytes}, "bytes");
  const double flops = whole_product({2, scores, shape.head_size}, "flops");
  const double product_s = flops / rates.matrix.per_second;
  const double side_bytes = (elements.queries + elements.keys) * type.bytes;
  const auto product = [&](const char* name) {
    return timed(
        {.name = name, .flops = flops, .bytes = side_bytes + score_bytes, .math_s = product_s},
        rates);
  };
  return {product("Q K^T"),
          timed({.name = "softmax",
                 .flops = kSoftmaxFlops * scores,
                 .bytes = 2 * score_bytes,
                 .math_s = softmax_of(scores, rates).seconds},
                rates),
          product("P V")};
}

Part flash_attention(const AttentionShape& shape, const AttentionRates& rates, ElementType type,
                     double query_rows) {
  const Elements elements = elements_of(shape);
  const double scores = shape.scores();
  const double passes = passes_over_keys(shape, rates, type, query_rows);
  const double product_flops = whole_product({4, scores, shape.head_size}, "flops");
  // The matrix unit and the vector units work at the same time.
  const double math_s =
      std::max(product_flops / rates.matrix.per_second, softmax_of(scores, rates).seconds);
  return timed({.name = "flash attention",
                .flops = product_flops + kSoftmaxFlops * scores,
                .bytes = flash_bytes(elements, passes, type),
                .math_s = math_s},
               rates);
}

Estimate estimate_attention(const Query& query) {
  const bool is_naive = query.algorithm == "naive";
  RIDGE_CHECK(is_naive || query.algorithm.empty() || query.algorithm == "flash",
              .code = ErrorCode::value, .expected = "an algorithm out of naive and flash",
              .given = concat("`", query.algorithm, "`"));
  Rates rates(*query.sheet);
  const AttentionRates attention = attention_rates(rates, query.dtype);
  const double rows = query.tile ? query.tile->rows : tuning::kQueryRows;
  const AttentionShape shape = shape_at(query, query.sizes);
  if (!is_naive && !attention.l2_bytes) {
    rates.absent("l2.bytes", "K and V are read again for each block of queries");
  }
  if (shape.kv_heads < shape.heads) {
    rates.notice(concat("K and V are read once for each of ", whole_text(shape.kv_heads),
                        " groups of heads that share them: blocks pack rows of all ",
                        whole_text(shape.heads / shape.kv_heads), " heads of a group"));
  }
  const PartsOf parts = [&](const Sizes& sizes) {
    const AttentionShape at = shape_at(query, sizes);
    if (is_naive) return naive_attention(at, attention, query.dtype);
    return std::vector{flash_attention(at, attention, query.dtype, rows)};
  };
  Estimate estimate = frame_estimate(
      concat(is_naive ? "naive" : "flash", " attention of ", whole_text(shape.batch), " x ",
             whole_text(shape.heads), " heads, ", whole_text(shape.queries), " queries, ",
             whole_text(shape.keys), " keys, size ", whole_text(shape.head_size),
             shape.is_causal ? ", causal, " : ", ", query.dtype.name),
      query, rates, parts, {"B"});
  const Softmax softmax = softmax_of(shape.scores(), attention);
  const bool is_decided_by_softmax = softmax.by && softmax.seconds >= estimate.t_math_s;
  if (is_naive || !is_decided_by_softmax) estimate.rates.push_back(to_text(attention.matrix));
  if (softmax.by && (is_naive || is_decided_by_softmax)) {
    estimate.rates.push_back(to_text(*softmax.by));
  }
  estimate.rates.push_back(to_text(attention.memory));
  const Elements elements = elements_of(shape);
  estimate.details = {
      {"compulsory_bytes", 2 * (elements.queries + elements.keys) * query.dtype.bytes},
      {"issued_bytes",
       is_naive ? estimate.bytes : flash_bytes(elements, shape.passes(rows), query.dtype)},
      {"passes_over_keys", is_naive ? 1 : passes_over_keys(shape, attention, query.dtype, rows)}};
  if (is_naive) {
    const Part flash = flash_attention(shape, attention, query.dtype, rows);
    estimate.advice.push_back(
        {"flash attention, which keeps scores on chip", estimate.lower_s - flash.lower_s()});
  }
  advise_launches(estimate, *query.sheet);
  sort_advice(estimate);
  return estimate;
}

}  // namespace ridge::cost
