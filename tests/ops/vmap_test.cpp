// Every op over a batch, against one call for each example.
#include "ridge/aot/vmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases.h"

namespace ridge::testing::vmap_test {
namespace {

using Tensors = std::vector<Tensor>;

constexpr int64_t kCount = 3;

bool is_tensor(const Tensor& tensor) { return tensor.defined() && !tensor.is_weak(); }

Tensors tensors_of(const OpCase& c) {
  Tensors tensors;
  map_tensors(c.args, [&](const Tensor& t) {
    if (is_tensor(t)) tensors.push_back(t);
    return t;
  });
  return tensors;
}

Tensors run(const OpCase& c, const Tensors& tensors) {
  size_t next = 0;
  const auto args =
      map_tensors(c.args, [&](const Tensor& t) { return is_tensor(t) ? tensors[next++] : t; });
  return dispatch::call_values(*c.record->op, dispatch::borrow(args));
}

// Another tensor for each example, of values that the op accepts: those of the sample, turned.
Tensor example(const Tensor& like, int64_t number) {
  if (like.rank() == 0 || like.numel().value() == 0) {
    const bool is_scaled = is_floating(like.dtype());
    return is_scaled ? like * (1 - 0.125 * static_cast<double>(number)) : clone(like);
  }
  const int64_t size = like.size(-1).value();
  const int64_t cut = number % size;
  return cat({slice(like, -1, cut), slice(like, -1, 0, cut)}, -1);
}

// Which tensors are mapped: all, or each alone.
std::vector<std::vector<bool>> selections(size_t count) {
  std::vector<std::vector<bool>> all = {std::vector<bool>(count, true)};
  for (size_t i = 0; count > 1 && i < count; ++i) {
    all.emplace_back(count, false);
    all.back()[i] = true;
  }
  return all;
}

// The same arithmetic in the same order, but for sums, whose order may follow the shape.
void expect_close(const Tensor& actual, const Tensor& expected, const std::string& text) {
  ASSERT_EQ(describe(actual), describe(expected)) << text;
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(e[i])) continue;
    if (a[i] == e[i]) continue;
    const double allowed = 16 * epsilon(expected.dtype()) * (1 + std::fabs(e[i]));
    EXPECT_NEAR(a[i], e[i], allowed) << "element " << i << " of " << text;
  }
}

void check(const OpCase& c, const std::vector<bool>& is_mapped) {
  const Tensors tensors = tensors_of(c);
  std::vector<Tensors> examples(kCount);
  Tensors mapped, shared;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!is_mapped[i]) {
      shared.push_back(tensors[i]);
      for (Tensors& one : examples) one.push_back(tensors[i]);
      continue;
    }
    Tensors parts;
    for (int64_t k = 0; k < kCount; ++k) {
      parts.push_back(example(tensors[i], k));
      examples[static_cast<size_t>(k)].push_back(parts.back());
    }
    mapped.push_back(stack(parts));
  }
  const auto f = [&](const Tensors& some, const Tensors& others) {
    Tensors all;
    for (size_t i = 0, a = 0, b = 0; i < is_mapped.size(); ++i) {
      all.push_back(is_mapped[i] ? some[a++] : others[b++]);
    }
    return run(c, all);
  };
  const Tensors results =
      vmap(f, {.in_axes = {0, std::nullopt}, .randomness = Randomness::same})(mapped, shared);
  std::string text = c.text() + " mapped over";
  for (size_t i = 0; i < is_mapped.size(); ++i) {
    if (is_mapped[i]) text += " " + std::to_string(i);
  }
  std::vector<Tensors> expected;
  for (const Tensors& one : examples) expected.push_back(run(c, one));
  for (size_t i = 0; i < results.size(); ++i) {
    Tensors rows;
    for (const Tensors& one : expected) rows.push_back(one[i]);
    expect_close(results[i], stack(rows), text);
  }
}

const bool kRegistered = for_each_op("Vmap", [](const ops::OpRecord& record) {
  const dispatch::IncludeKeys on_the_reference(dispatch::Key::reference);
  const std::vector<DType> accepted = ops::accepted_dtypes(record);
  for (const DType dtype : {f64, i32}) {
    if (std::ranges::find(accepted, dtype) == accepted.end()) continue;
    for (const OpCase& c : cases_of(record, dtype)) {
      const size_t count = tensors_of(c).size();
      if (count == 0) continue;
      for (const auto& is_mapped : selections(count)) check(c, is_mapped);
    }
  }
});

}  // namespace
}  // namespace ridge::testing::vmap_test
