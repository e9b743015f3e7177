// A transformer block over [B,S,D], and one step of decoding with a cache of keys and values.
//
// Kernels of a block: norm, query-key-value projection, attention, output projection, norm, up (and
// gate) projection, down projection; residuals and the activation ride in epilogues.
#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/attention.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/roofline/tuning.h"

namespace ridge::cost {

namespace {

struct Widths {
  double model, heads, kv_heads, head_size, hidden, up_projections;
};

// Heads of 128 are what models have, or the next larger size that divides the width: the most heads
// up to model / 128, looked for among pairs of divisors.
double default_heads(double model) {
  const double most = std::max(1.0, std::floor(model / 128));
  double heads = 1;
  for (double divisor = 1; divisor * divisor <= model; ++divisor) {
    if (std::fmod(model, divisor) != 0) continue;
    for (const double candidate : {divisor, model / divisor}) {
      if (candidate <= most) heads = std::max(heads, candidate);
    }
  }
  return heads;
}

Widths widths_of(const Query& query, const Sizes& sizes) {
  const double model = sizes["D"];
  whole_product({model, model}, "weights");  // before divisors of something absurd are looked for
  const double heads = query.heads.value_or(default_heads(model));
  const double kv_heads = query.kv_heads.value_or(heads);
  RIDGE_CHECK(std::fmod(model, heads) == 0 && std::fmod(heads, kv_heads) == 0,
              .code = ErrorCode::shape,
              .expected = "heads that divide D, and heads of keys and values that divide heads",
              .given = concat("D ", whole_text(model), ", heads ", whole_text(heads), ", kv-heads ",
                              whole_text(kv_heads)));
  return {model,
          heads,
          kv_heads,
          model / heads,
          query.hidden.value_or(4 * model),
          query.is_gated ? 2.0 : 1.0};
}

class Block {
 public:
  Block(const Query& query, Rates& rates)
      : query_(query),
        attention_(attention_rates(rates, query.dtype)),
        math_(rates.matrix(compute_type(query.dtype, query.weight_type()), "transformer")) {}

  const Rate& math() const { return math_; }
  const Rate& memory() const { return attention_.memory; }

  Part project(const char* name, double rows, double from, double to) const {
    MatmulProblem problem = problem_of(query_);
    problem.m = rows;
    problem.k = from;
    problem.n = to;
    return matmul_part(name, problem, math_, attention_.memory);
  }

  // `rows` tokens, whose attention is the caller's.
  std::vector<Part> layer(double rows, const Widths& w, Part attention) const {
    const double qkv = (w.heads + 2 * w.kv_heads) * w.head_size;
    return {
        norm(rows, w.model),
        project("qkv projection", rows, w.model, qkv),
        std::move(attention),
        project("output projection", rows, w.model, w.model),
        norm(rows, w.model),
        project(query_.is_gated ? "up and gate" : "up", rows, w.model, w.up_projections * w.hidden),
        project("down", rows, w.hidden, w.model)};
  }

  Part attend(const AttentionShape& shape) const {
    return flash_attention(shape, attention_, query_.dtype, tuning::kQueryRows);
  }

 private:
  // Mean, variance, scale and shift: 8 flops a number at the rate of the vector units.
  Part norm(double rows, double width) const {
    const double numbers = whole_product({rows, width}, "elements");
    Part part{.name = "norm", .flops = 8 * numbers, .bytes = 2 * numbers * query_.dtype.bytes};
    if (attention_.vector) part.math_s = part.flops / attention_.vector->per_second;
    part.memory_s = part.bytes / attention_.memory.per_second;
    return part;
  }

  const Query& query_;
  AttentionRates attention_;
  Rate math_;
};

double weights_of(const Widths& w) {
  const double qkv = (w.heads + 2 * w.kv_heads) * w.head_size;
  return w.model * (qkv + w.model + (w.up_projections + 1) * w.hidden);
}

void repeat_layers(std::vector<Part>& parts, double layers) {
  for (Part& part : parts) {
    part.flops = whole_product({part.flops, layers}, "flops");
    part.bytes *= layers;
    part.launches *= layers;
    part.math_s *= layers;
    part.memory_s *= layers;
  }
}

using PartsAt = std::vector<Part> (*)(const Query& query, const Block& block, const Sizes& sizes);

// Asked again with these weights, because math may bind before all that they save is saved.
double lower_with_weights(std::string_view type, Query query, PartsAt parts_at) {
  query.weights = find_element_type(type);
  Rates rates(*query.sheet);
  Estimate changed;
  changed.parts = parts_at(query, Block(query, rates), query.sizes);
  add_bounds(changed, std::nullopt);
  return changed.lower_s;
}

// `outside` counts weights that no layer has.
Estimate finish(std::string operation, const Query& query, PartsAt parts_at, double outside) {
  Rates rates(*query.sheet);
  const Block block(query, rates);
  const PartsOf parts = [&](const Sizes& sizes) { return parts_at(query, block, sizes); };
  Estimate estimate = frame_estimate(std::move(operation), query, rates, parts, {"B"});
  estimate.rates = {to_text(block.math()), to_text(block.memory())};
  double one_after_another = 0;
  for (const Part& part : estimate.parts) one_after_another += part.lower_s();
  const double weights = weights_of(widths_of(query, query.sizes));
  const double all_weights = query.layers * weights + outside;
  estimate.details = {{"sequential_s", one_after_another},
                      {"weights_per_layer", weights},
                      {"weight_bytes", all_weights * query.weight_type().bytes}};
  advise_launches(estimate, *query.sheet);
  if (query.weight_type().bytes > 1 && estimate.regime == Regime::memory) {
    const double gain = estimate.lower_s - lower_with_weights("i8", query, parts_at);
    estimate.advice.push_back({"weights in i8", gain});
  }
  sort_advice(estimate);
  return estimate;
}

std::vector<Part> block_parts(const Query& query, const Block& block, const Sizes& sizes) {
  const Widths w = widths_of(query, sizes);
  const double tokens = whole_product({sizes["B"], sizes["S"]}, "tokens");
  const AttentionShape shape{sizes["B"], w.heads,     w.kv_heads,     sizes["S"],
                             sizes["S"], w.head_size, query.is_causal};
  auto layer = block.layer(tokens, w, block.attend(shape));
  repeat_layers(layer, query.layers);
  return layer;
}

std::vector<Part> decode_parts(const Query& query, const Block& block, const Sizes& sizes) {
  const Widths w = widths_of(query, sizes);
  const AttentionShape shape{sizes["B"], w.heads, w.kv_heads, 1, sizes["S"], w.head_size, false};
  auto step = block.layer(sizes["B"], w, block.attend(shape));
  repeat_layers(step, query.layers);
  if (query.vocabulary) {
    step.push_back(block.project("vocabulary", sizes["B"], w.model, *query.vocabulary));
  }
  return step;
}

}  // namespace

Estimate estimate_block(const Query& query) {
  const Sizes& s = query.sizes;
  return finish(concat(whole_text(query.layers), " transformer block(s) over [", s.text("B"), ",",
                       s.text("S"), ",", s.text("D"), "], ", query.dtype.name, ", forward"),
                query, block_parts, 0);
}

Estimate estimate_decode(const Query& query) {
  const Sizes& s = query.sizes;
  Estimate estimate = finish(concat("decode step of ", s.text("B"), " sequence(s) with ",
                                    s.text("S"), " tokens cached, D ", s.text("D"), ", ",
                                    whole_text(query.layers), " layer(s), ", query.dtype.name),
                             query, decode_parts, s["D"] * query.vocabulary.value_or(0));
  const Widths w = widths_of(query, s);
  const double cache = 2 * s["B"] * s["S"] * w.kv_heads * w.head_size * query.layers;
  estimate.details.emplace_back("cache_bytes", cache * query.dtype.bytes);
  estimate.details.emplace_back("tokens_per_s", s["B"] / estimate.lower_s);
  return estimate;
}

}  // namespace ridge::cost
