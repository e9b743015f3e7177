// Gradients against central differences in f64, first and second order, for every op that has one.
#include <gtest/gtest.h>

#include "../gradcheck.h"
#include "cases.h"

namespace ridge::testing::gradient_test {
namespace {

// The floating tensors of a call, in order.
Tensors inputs_of(const OpCase& c) {
  Tensors inputs;
  map_tensors(c.args, [&](const Tensor& t) {
    if (t.defined() && t.dtype() == f64) inputs.push_back(t);
    return t;
  });
  return inputs;
}

// The call as a function of those tensors.
Program program_of(const OpCase& c) {
  return [c](const Tensors& inputs) {
    size_t next = 0;
    const auto args = map_tensors(c.args, [&](const Tensor& t) {
      return t.defined() && t.dtype() == f64 ? inputs[next++] : t;
    });
    return dispatch::call_values(*c.record->op, dispatch::borrow(args));
  };
}

const bool kRegistered = for_each_gradient("Gradient", [](const ops::OpRecord& record) {
  size_t checked = 0;
  for (const OpCase& c : cases_of(record, f64)) {
    const Tensors inputs = inputs_of(c);
    // A cast to integers has no gradient to check, and the mean of nothing none that is a number.
    const Tensor result = c.run()[0];
    if (inputs.empty() || !is_floating(result.dtype()) || !all(is_finite(result)).item<bool>()) {
      continue;
    }
    ++checked;
    EXPECT_TRUE(gradcheck(program_of(c), inputs)) << c.text();
    EXPECT_TRUE(gradgradcheck(program_of(c), inputs)) << c.text();
  }
  EXPECT_GT(checked, 0U) << "no sample to differentiate";
});

const bool kNoneRegistered = for_each_op("NoGradient", [](const ops::OpRecord& record) {
  if (record.has_gradient()) return;
  for (const OpCase& c : cases_of(record, f64)) {
    const auto args = map_tensors(c.args, [](const Tensor& t) {
      if (!t.defined() || t.dtype() != f64) return t;
      const Tensor leaf = t.alias();
      set_requires_grad(leaf);
      return leaf;
    });
    for (const Tensor& result : dispatch::call_values(*record.op, dispatch::borrow(args))) {
      EXPECT_FALSE(result.requires_grad()) << c.text();
    }
  }
});

}  // namespace
}  // namespace ridge::testing::gradient_test
