// Shapes and dtypes computed without values agree with those computed with them, and a result does
// not depend on how its operands lie in memory.
#include <gtest/gtest.h>

#include "cases.h"
#include "closeness.h"

namespace ridge::testing::meta_test {
namespace {

Tensor to_meta(const Tensor& t) {
  if (!t.defined() || t.is_weak()) return t;
  return Tensor::empty(t.shape(), t.dtype(), kMeta);
}

Tensor packed(const Tensor& t) { return t.defined() ? contiguous(t) : t; }

std::vector<dispatch::Value> on_meta(const OpCase& c) {
  std::vector<dispatch::Value> args = map_tensors(c.args, to_meta);
  for (dispatch::Value& value : args) {
    if (std::holds_alternative<Device>(value)) value = kMeta;
  }
  return args;
}

const bool kMetaRegistered = for_each_op("Meta", [](const ops::OpRecord& record) {
  for (const DType dtype : ops::accepted_dtypes(record)) {
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors real = c.run();
      const dispatch::Tensors meta =
          dispatch::call_values(*record.op, dispatch::borrow(on_meta(c)));
      ASSERT_EQ(real.size(), meta.size()) << c.text();
      for (size_t i = 0; i < real.size(); ++i) {
        EXPECT_TRUE(meta[i].is_meta()) << c.text();
        EXPECT_EQ(to_text(meta[i].shape()), to_text(real[i].shape())) << c.text();
        EXPECT_EQ(name(meta[i].dtype()), name(real[i].dtype())) << c.text();
      }
    }
  }
});

const bool kLayoutRegistered = for_each_op("Layout", [](const ops::OpRecord& record) {
  for (const DType dtype : ops::accepted_dtypes(record)) {
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors given = c.run();
      const auto args = map_tensors(c.args, packed);
      const dispatch::Tensors from_packed =
          dispatch::call_values(*record.op, dispatch::borrow(args));
      // The order of a sum follows the layout, so only the bound of a sum holds.
      expect_results(c, given, from_packed);
    }
  }
});

// Shape rules work on sizes that are only names: dim 0 of every operand becomes a symbol with the
// true size as its hint, and evaluating the symbolic result shape gives the real one.
const bool kSymbolicRegistered = for_each_op("SymbolicShape", [](const ops::OpRecord& record) {
  for (const OpCase& c : cases_of(record, f32)) {
    const auto log = std::make_shared<expr::GuardLog>();
    const auto to_symbolic = [&](const Tensor& t) {
      if (!t.defined() || t.is_weak() || t.rank() == 0) return to_meta(t);
      Shape shape = t.shape();
      shape[0] = symbolic_size("n", expr::Interval::at_least(0), *shape[0].known(), log);
      return Tensor::empty(shape, t.dtype(), kMeta);
    };
    std::vector<dispatch::Value> args = map_tensors(c.args, to_symbolic);
    for (dispatch::Value& value : args) {
      if (std::holds_alternative<Device>(value)) value = kMeta;
    }
    const dispatch::Tensors real = c.run();
    const dispatch::Tensors symbolic = dispatch::call_values(*record.op, dispatch::borrow(args));
    for (size_t i = 0; i < real.size(); ++i) {
      ASSERT_EQ(symbolic[i].rank(), real[i].rank()) << c.text();
      for (int64_t dim = 0; dim < real[i].rank(); ++dim) {
        EXPECT_EQ(symbolic[i].size(dim).hint_or(-1), *real[i].size(dim).known()) << c.text();
      }
    }
  }
});

}  // namespace
}  // namespace ridge::testing::meta_test
