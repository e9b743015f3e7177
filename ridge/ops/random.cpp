#include "ridge/ops/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/unary.h"

namespace ridge {

Generator::Generator(uint64_t seed, int64_t rank, Device device)
    : state(to_device(Tensor::of<int64_t>({std::bit_cast<int64_t>(seed), rank, 0}, {3}), device)) {}

namespace {

// Counts a random call. The increment {0, 0, 1} is made by ops, as a tensor from outside would not
// be allowed in a captured program.
void advance(Generator& generator, Location where) {
  const Tensor increment = equal(arange(3, i64, generator.state.device()), 2);
  add_(At(generator.state, where), increment);
}

}  // namespace

Tensor uniform(const Shape& shape, Generator& generator, double low, double high, DType dtype,
               Location where) {
  const Tensor drawn = uniform(At(generator.state, where), shape, low, high, dtype);
  advance(generator, where);
  return drawn;
}

Tensor normal(const Shape& shape, Generator& generator, double mean, double deviation, DType dtype,
              Location where) {
  const Tensor drawn = normal(At(generator.state, where), shape, mean, deviation, dtype);
  advance(generator, where);
  return drawn;
}

Tensor bernoulli(const Shape& shape, Generator& generator, double p, Location where) {
  const Tensor drawn = bernoulli(At(generator.state, where), shape, p);
  advance(generator, where);
  return drawn;
}

Tensor dropout(const At& x, double p, Generator& generator) {
  const Tensor kept = dropout(x, p, At(generator.state, x.where()));
  advance(generator, x.where());
  return kept;
}

Tensor categorical(const At& logits, Generator& generator) {
  const Tensor drawn = categorical(logits, At(generator.state, logits.where()));
  advance(generator, logits.where());
  return drawn;
}

Tensor random_bits(const At& state, const Shape& shape, int64_t word) {
  static const auto& op = ops::find_op("random_bits");
  return dispatch::call_one(op, state.where(), state, shape, word);
}

Tensor uniform(const At& state, const Shape& shape, double low, double high, DType dtype) {
  static const auto& op = ops::find_op("uniform");
  return dispatch::call_one(op, state.where(), state, shape, low, high, dtype);
}

Tensor normal(const At& state, const Shape& shape, double mean, double deviation, DType dtype) {
  static const auto& op = ops::find_op("normal");
  return dispatch::call_one(op, state.where(), state, shape, mean, deviation, dtype);
}

Tensor bernoulli(const At& state, const Shape& shape, double p) {
  static const auto& op = ops::find_op("bernoulli");
  return dispatch::call_one(op, state.where(), state, shape, p);
}

Tensor dropout(const At& x, double p, const At& state) {
  static const auto& op = ops::find_op("dropout");
  return dispatch::call_one(op, x.where(), x, p, state);
}

Tensor categorical(const At& logits, const At& state) {
  static const auto& op = ops::find_op("categorical");
  return dispatch::call_one(op, logits.where(), logits, state);
}

namespace ops {
namespace {

constexpr double kWordRange = 0x1p32;              // a word is one of this many
constexpr int64_t kBlockWords = 4;                 // of one counter, for as many neighbors
constexpr int64_t kWordBlocks = int64_t{1} << 60;  // counters for one word of all elements

std::vector<Shape> random_bits_shape(const Call& call) {
  const Tensor& state = call.tensor("state");
  const int64_t word = call.integer("word");
  if (!(state.shape() == Shape{3}) || state.dtype() != i64) {
    call.fail(ErrorCode::shape, "a generator state, i64[3]", describe(state));
  }
  if (word < 0 || word > 3) call.fail(ErrorCode::value, "a word from 0 to 3", std::to_string(word));
  return {call.sizes("shape")};
}

Definition define_random_bits(const Call& call) {
  const Shape extents = call.sizes("shape");
  const size_t rank = extents.size();
  const auto state = [](int64_t i) { return expr::load(0, expr::Type::integer, {expr::Expr(i)}); };
  const expr::Expr element = linear_index(all_axes(rank), extents);
  const expr::Expr first(call.integer("word") * kWordBlocks);
  const expr::Expr counter = expr::floor_div(element, expr::Expr(kBlockWords)) + first;
  const expr::Expr word = expr::mod(element, expr::Expr(kBlockWords));
  return {
      .extents = extents,
      .output_rank = rank,
      .value = expr::call(expr::Function::philox, {state(0), state(1), state(2), counter, word})};
}

void check_floating(const Call& call) {
  const DType dtype = call.dtype("dtype");
  if (is_floating(dtype) && !is_storage_only(dtype)) return;
  call.fail(ErrorCode::dtype, "f64, f32, f16 or bf16", std::string(name(dtype)));
}

// Evenly spaced numbers in [0, 1), as finely as the dtype has them next to 1.
Tensor unit_interval(const Tensor& state, const Shape& shape, DType dtype) {
  const int digits = 1 - std::ilogb(epsilon(dtype));
  const Tensor word = random_bits(state, shape, 0);
  if (digits <= 32) {
    const Tensor leading = floor_div(word, int64_t{1} << (32 - digits));
    return cast(leading, f32) * std::ldexp(1.0, -digits);
  }
  // 53 = 27 + 26 bits of two words.
  const Tensor leading = floor_div(word, int64_t{1} << 5);
  const Tensor trailing = floor_div(random_bits(state, shape, 1), int64_t{1} << 6);
  return cast(leading * (int64_t{1} << 26) + trailing, f64) * 0x1p-53;
}

Tensors decompose_uniform(const Call& call) {
  check_floating(call);
  const double low = call.real("low");
  const double high = call.real("high");
  const DType dtype = call.dtype("dtype");
  if (!(low < high) || !std::isfinite(high - low)) {
    call.fail(ErrorCode::value, "low < high, both finite", concat(low, " and ", high));
  }
  const Tensor unit = unit_interval(call.tensor("state"), call.sizes("shape"), dtype);
  const Tensor value = cast(unit * (high - low) + low, dtype);
  // Rounding may still arrive at `high`, which stands for the start of the next interval.
  return {where(less(value, high), value, low)};
}

Tensors decompose_normal(const Call& call) {
  check_floating(call);
  const double deviation = call.real("deviation");
  if (!(deviation >= 0)) {
    call.fail(ErrorCode::value, "a standard deviation of at least 0", concat(deviation));
  }
  const auto word = [&](int64_t i) {
    return cast(random_bits(call.tensor("state"), call.sizes("shape"), i), f64);
  };
  // Box-Muller. In f64 the last bits in which math libraries differ vanish when the result is
  // rounded; and (word + 1) keeps the logarithm away from zero.
  const Tensor radius = sqrt(log((word(0) + 1.0) * (1 / kWordRange)) * -2.0);
  const Tensor angle = word(1) * (2 * std::numbers::pi / kWordRange);
  return {cast(radius * cos(angle) * deviation + call.real("mean"), call.dtype("dtype"))};
}

void check_probability(const Call& call) {
  const double p = call.real("p");
  if (!(p >= 0 && p <= 1)) call.fail(ErrorCode::value, "a probability in [0, 1]", concat(p));
}

Tensors decompose_bernoulli(const Call& call) {
  check_probability(call);
  const Tensor word = random_bits(call.tensor("state"), call.sizes("shape"), 0);
  return {less(word, static_cast<int64_t>(std::llround(call.real("p") * kWordRange)))};
}

Tensors decompose_dropout(const Call& call) {
  check_probability(call);
  const Tensor& x = call.tensor("x");
  const double keep = 1 - call.real("p");
  const double scale = keep > 0 ? 1 / keep : 0;
  return {where(bernoulli(call.tensor("state"), x.shape(), keep), x * scale, 0)};
}

// In f64, as `normal` is: the last bits in which math libraries differ decide nothing but ties.
Tensors decompose_categorical(const Call& call) {
  const Tensor& logits = call.tensor("logits");
  if (logits.rank() == 0 || logits.size(-1) == 0) {
    call.fail(ErrorCode::shape, "logits [..., classes] of at least one class", describe(logits));
  }
  const Tensor word = cast(random_bits(call.tensor("state"), logits.shape(), 0), f64);
  const Tensor waiting = -log((word + 0.5) * (1 / kWordRange));  // exponentially distributed
  return {argmax(cast(logits, f64) - log(waiting), -1)};
}

// The dtype of a state says nothing of the result's.
DTypeRule from_state(const DTypeRule& rule) { return {rule.name, {Accept::integer}, rule.apply}; }

DTypeRule always(DType dtype) {
  return {std::string(name(dtype)), {Accept::integer}, [dtype](const Call&) {
            return DTypes{.inputs = {i64}, .outputs = {dtype}};
          }};
}

DTypeRule float_and_state() {
  return {"as operand 0", {Accept::floating, Accept::integer}, rule::same().apply};
}

DTypeRule class_of_logits() {
  return {"i64", {Accept::floating, Accept::integer}, [](const Call& call) {
            return DTypes{.inputs = {call.operand(0).dtype(), i64}, .outputs = {i64}};
          }};
}

// A fresh state, and one some calls into its life.
std::vector<Tensor> sample_states() {
  return {Tensor::of<int64_t>({42, 0, 0}, {3}), Tensor::of<int64_t>({-7, 3, 1000003}, {3})};
}

std::vector<Shape> sample_shapes() { return {{}, {1}, {13}, {0, 3}, {2, 3, 5}}; }

void bits_samples(SampleMaker& m) {
  int64_t word = 0;
  for (const Tensor& state : sample_states()) {
    for (const Shape& shape : sample_shapes()) m.add(state, shape, word++ % 4);
  }
}

void real_samples(SampleMaker& m) {
  for (const Tensor& state : sample_states()) {
    for (const DType dtype : {f64, f32, f16, bf16}) {
      for (const Shape& shape : sample_shapes()) m.add(state, shape, -1.0, 2.0, dtype);
    }
  }
}

void bernoulli_samples(SampleMaker& m) {
  for (const Tensor& state : sample_states()) {
    for (const double p : {0.0, 0.3, 1.0}) m.add(state, Shape{3, 7}, p);
  }
}

void dropout_samples(SampleMaker& m) {
  for (const Tensor& state : sample_states()) {
    m.add(m.real({3, 7}), 0.3, state);
    m.add(m.strided(m.real({5, 2})), 0.5, state);
    m.add(m.real({0, 3}), 0.1, state);
    m.add(m.real({5}), 0.0, state);
    m.add(m.real({5}), 1.0, state);
  }
}

void categorical_samples(SampleMaker& m) {
  for (const Tensor& state : sample_states()) {
    m.add(m.real({7}), state);
    m.add(m.strided(m.real({5, 3})), state);
    m.add(m.real({2, 3, 1}), state);
    m.add(m.real({0, 3}), state);
  }
}

}  // namespace

void register_random(Registry& ops) {
  ops.add({.schema = "random_bits(Tensor state, Size[] shape, Int word) -> Tensor",
           .doc = "32 random bits for each element, as i64 in [0, 2^32)",
           .traits = Trait::Random,
           .dtype = always(i64),
           .shape = random_bits_shape,
           .define = define_random_bits,
           .differentiable = false,
           .samples = bits_samples});

  ops.add({.schema = "uniform(Tensor state, Size[] shape, Float low=0, Float high=1, "
                     "DType dtype=f32) -> Tensor",
           .doc = "random numbers, evenly distributed in [low, high)",
           .traits = Trait::Random,
           .dtype = from_state(rule::given("dtype")),
           .decompose = decompose_uniform,
           .differentiable = false,
           .samples = real_samples});

  ops.add({.schema = "normal(Tensor state, Size[] shape, Float mean=0, Float deviation=1, "
                     "DType dtype=f32) -> Tensor",
           .doc = "normally distributed random numbers",
           .traits = Trait::Random,
           .dtype = from_state(rule::given("dtype")),
           .decompose = decompose_normal,
           .differentiable = false,
           .samples = real_samples});

  ops.add({.schema = "bernoulli(Tensor state, Size[] shape, Float p=0.5) -> Tensor",
           .doc = "bool, true with probability p",
           .traits = Trait::Random,
           .dtype = always(boolean),
           .decompose = decompose_bernoulli,
           .differentiable = false,
           .samples = bernoulli_samples});

  ops.add({.schema = "dropout(Tensor x, Float p, Tensor state) -> Tensor",
           .doc = "x / (1 - p) with probability 1 - p, else 0",
           .traits = Trait::Random,
           .dtype = float_and_state,
           .shape = rule::same_as_input,
           .decompose = decompose_dropout,
           .samples = dropout_samples});

  ops.add({.schema = "categorical(Tensor logits, Tensor state) -> Tensor",
           .doc = "a class for each row of logits, with probability softmax(logits)",
           .traits = Trait::Random,
           .dtype = class_of_logits,
           .decompose = decompose_categorical,
           .differentiable = false,
           .samples = categorical_samples});
}

}  // namespace ops
}  // namespace ridge
