#include "tests/fuzz/graph_builder.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/ops/autocast.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"

namespace ridge::fuzz {
namespace {

// Beyond this, 16-bit floats overflow in the next call or the one after.
constexpr double kLargest = 2000;
constexpr int64_t kMostDims = 8;
// A graph of a million elements takes as long as some hundred small ones.
constexpr double kLongChance = 1.0 / 400;

}  // namespace

GraphBuilder::GraphBuilder(uint64_t seed) : recorder_(case_.graph), random_(seed) {
  case_.graph.name = "case";
  case_.data_seed = random_.next() >> 16;
  most_elements_ = chance(0.04) ? 5000 : 400;
  if (chance(kLongChance)) most_elements_ = kLongFrom + integer(1, 5000);
  allows_specials_ = chance(0.06);
  allows_layouts_ = chance(0.5);
  allows_high_ranks_ = chance(0.08);
  if (chance(0.06)) autocast_ = chance(0.7) ? bf16 : f16;
  favorite_ = chance(0.7) ? f32 : floating_dtype();
}

DType GraphBuilder::floating_dtype() {
  switch (integer(0, 5)) {
    case 0: return f64;
    case 1: return bf16;
    case 2: return f16;
    default: return f32;
  }
}

DType GraphBuilder::dtype() {
  if (chance(0.65)) return favorite_;
  switch (integer(0, 9)) {
    case 0: return i32;
    case 1: return boolean;
    case 2: return i8;
    case 3: return u8;
    case 4:
    case 5: return i64;
    default: return floating_dtype();
  }
}

int64_t GraphBuilder::extent() {
  if (chance(0.02)) return 0;
  constexpr int64_t extents[] = {1, 1, 2, 2, 3, 3, 4, 5, 5, 7, 8, 9, 16, 17, 33};
  if (most_elements_ > 1000 && chance(0.3)) return integer(60, 140);
  return extents[static_cast<size_t>(integer(0, std::ssize(extents) - 1))];
}

Shape GraphBuilder::shape(int64_t max_rank) {
  if (is_long()) {
    const int64_t rows = chance(0.5) ? 1 : integer(1, 40);
    const Size columns(most_elements_ / rows);
    return rows == 1     ? Shape{columns}
           : chance(0.5) ? Shape{Size(rows), columns}
                         : Shape{columns, Size(rows)};
  }
  int64_t rank = chance(0.05) ? 0 : integer(1, max_rank);
  if (allows_high_ranks_ && max_rank >= 4 && chance(0.5)) rank = integer(5, kMostDims);
  Shape result;
  int64_t elements = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = rank > 4 ? integer(1, 3) : extent();
    while (elements * size > most_elements_) size = (size + 1) / 2;
    elements *= std::max<int64_t>(size, 1);
    result.push_back(Size(size));
  }
  return result;
}

int64_t GraphBuilder::dim(int64_t rank) {
  const int64_t dim = integer(0, rank - 1);
  return chance(0.3) ? dim - rank : dim;
}

double GraphBuilder::number() { return static_cast<double>(integer(-16, 16)) / 8; }

size_t GraphBuilder::input(DType dtype, const Shape& shape, std::string kind) {
  if (kind.empty()) kind = chance(0.5) ? "grid" : "fine";
  if (allows_specials_ && kind == "fine") kind = "special";
  std::string name = concat(kind, "_", case_.graph.inputs.size());
  if (allows_layouts_ && shape.size() >= 2 && chance(0.25)) name += "_transposed";
  if (allows_layouts_ && !shape.empty() && chance(0.15)) name += "_spaced";
  const graph::Type type{dtype, shape};
  known_.push_back({recorder_.input(type, name), make_input(type, name, case_.data_seed)});
  return known_.size() - 1;
}

std::optional<size_t> GraphBuilder::pick(const std::function<bool(const Tensor&)>& suits) {
  std::vector<size_t> found;
  for (size_t i = 0; i < known_.size(); ++i) {
    if (suits(known_[i].value)) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  const auto last = std::ssize(found) - 1;
  const auto at = chance(0.5) ? std::max(integer(0, last), integer(0, last)) : integer(0, last);
  return found[static_cast<size_t>(at)];
}

std::pair<double, double> GraphBuilder::range(size_t i) const {
  double low = 0, high = 0;
  bool is_first = true;
  for (const double x : known_[i].value.to_vector<double>()) {
    if (!std::isfinite(x)) continue;
    low = is_first ? x : std::min(low, x);
    high = is_first ? x : std::max(high, x);
    is_first = false;
  }
  return {low, high};
}

bool GraphBuilder::is_sane(const Tensor& result) const {
  if (elements_of(result.shape()) > most_elements_) return false;
  if (result.rank() > kMostDims) return false;
  for (const double x : result.to_vector<double>()) {
    if (std::isfinite(x) ? std::abs(x) > kLargest : !allows_specials_) return false;
  }
  return true;
}

bool GraphBuilder::record(const std::vector<size_t>& operands, const CallOf& call,
                          const Tensors& values) {
  Tensors fakes;
  for (const size_t i : operands) fakes.push_back(known_[i].fake);
  const graph::Recorder::Scope scope(recorder_);
  const Tensors results = call(fakes);
  for (const size_t i : operands) known_[i].is_used = true;
  for (size_t i = 0; i < results.size(); ++i) known_.push_back({results[i], values[i]});
  return true;
}

bool GraphBuilder::attempt(std::vector<size_t> operands, const CallOf& call) {
  Tensors values;
  for (const size_t i : operands) values.push_back(known_[i].value);
  Tensors results;
  std::optional<AutocastScope> autocast;
  if (autocast_ && chance(0.7)) autocast.emplace(*autocast_);
  try {
    const reference::UseReference by_reference;
    results = call(values);
  } catch (const Error&) {
    return false;
  }
  if (!std::all_of(results.begin(), results.end(), [&](const Tensor& t) { return is_sane(t); })) {
    return false;
  }
  return record(operands, call, results);
}

bool GraphBuilder::attempt_write(std::vector<size_t> operands, const CallOf& trial,
                                 const CallOf& call) {
  Tensors values;
  for (const size_t i : operands) values.push_back(known_[i].value);
  const Tensor& target = values[0];
  if (target.may_overlap_itself()) return false;
  // A number, or what was made from one, may stand for several uses of it.
  if (target.is_weak() || target.rank() == 0) return false;
  try {
    const reference::UseReference by_reference;
    const Tensors tried = trial(values);
    if (tried[0].dtype() != target.dtype() || !is_sane(tried[0])) return false;
    if (to_text(tried[0].shape()) != to_text(target.shape())) return false;
    call(values);
  } catch (const Error&) {
    return false;
  }
  return record(operands, call, {target});
}

Case GraphBuilder::finish() {
  graph::Graph& graph = case_.graph;
  const auto add = [&](const Known& known) { graph.outputs.push_back(recorder_.id(known.fake)); };
  for (const size_t i : kept_) {
    if (graph.outputs.size() < 3 && graph[recorder_.id(known_[i].fake)].node >= 0) {
      add(known_[i]);
    }
  }
  // What nobody used, newest first; the rest of it is dead code, which must not matter.
  for (size_t i = known_.size(); i-- > 0 && graph.outputs.size() < 5;) {
    if (!known_[i].is_used && graph[recorder_.id(known_[i].fake)].node >= 0) add(known_[i]);
  }
  // Values in the middle are kept too, which changes what can be fused.
  while (graph.outputs.empty() || (graph.outputs.size() < 6 && chance(0.3))) {
    add(known_[static_cast<size_t>(integer(0, std::ssize(known_) - 1))]);
  }
  return std::move(case_);
}

}  // namespace ridge::fuzz
