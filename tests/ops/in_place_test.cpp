// In-place forms do what the op does, and write through the strides of what they are given.
#include <gtest/gtest.h>

#include "cases.h"

namespace ridge::testing::in_place_test {
namespace {

Tensor copy_of(const Tensor& t) {
  const Tensor fresh = Tensor::empty(t.shape(), t.dtype());
  copy_(fresh, t);
  return fresh;
}

const bool kRegistered = for_each_op("InPlace", [](const ops::OpRecord& record) {
  if (record.in_place_op == nullptr) return;
  size_t checked = 0;
  for (const DType dtype : ops::accepted_dtypes(record)) {
    for (const OpCase& c : cases_of(record, dtype)) {
      const Tensor expected = c.run()[0];
      const Tensor& first = std::get<Tensor>(c.args[0]);
      const bool fits =
          to_text(first.shape()) == to_text(expected.shape()) && first.dtype() == expected.dtype();
      if (!fits) continue;
      ++checked;
      std::vector<dispatch::Value> args = c.args;
      const Tensor target = copy_of(first);
      const uint32_t version = target.version();
      args[0] = target;
      const Tensor result = dispatch::call_values(*record.in_place_op, dispatch::borrow(args))[0];
      EXPECT_TRUE(result.is_same(target)) << c.text();
      EXPECT_GT(target.version(), version) << c.text();
      EXPECT_EQ(fingerprint(target), fingerprint(expected)) << c.text();

      // Through a view: the target is every other element of something larger.
      ops::SampleMaker maker(record.op->schema(), first.dtype(), 1);
      const Tensor view = maker.strided(copy_of(first));
      args[0] = view;
      dispatch::call_values(*record.in_place_op, dispatch::borrow(args));
      EXPECT_EQ(fingerprint(view), fingerprint(expected)) << c.text();
    }
  }
  EXPECT_GT(checked, 0U) << "no sample whose result fits its first operand";
});

}  // namespace
}  // namespace ridge::testing::in_place_test
