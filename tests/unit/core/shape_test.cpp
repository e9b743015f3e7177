#include "ridge/core/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace ridge::shape_test {
namespace {

std::vector<int64_t> ints(const Shape& shape) {
  std::vector<int64_t> result;
  for (const Size& size : shape) result.push_back(size.known().value());
  return result;
}
using List = std::vector<int64_t>;

Size symbol(const char* name, int64_t hint, std::shared_ptr<expr::GuardLog> log) {
  return symbolic_size(name, {1, 4096}, hint, log);
}

TEST(Shape, Numel) {
  EXPECT_EQ(numel({}).known(), 1);
  EXPECT_EQ(numel({2, 3, 4}).known(), 24);
  EXPECT_EQ(numel({int64_t{1} << 40, int64_t{1} << 40, 0}).known(), 0);
  EXPECT_THROW(numel({int64_t{1} << 40, int64_t{1} << 40}), Error);
  EXPECT_THROW(numel({int64_t{1} << 61, 3}), Error);
}

TEST(Shape, ContiguousStrides) {
  EXPECT_EQ(ints(contiguous_strides({})), List{});
  EXPECT_EQ(ints(contiguous_strides({2, 3, 4})), (List{12, 4, 1}));
  EXPECT_EQ(ints(contiguous_strides({2, 0, 4})), (List{4, 4, 1}));
  EXPECT_THROW(contiguous_strides({2, int64_t{1} << 40, int64_t{1} << 40}), Error);
}

TEST(Shape, Text) {
  const Size batch = symbolic_size("batch", {1, 64});
  EXPECT_EQ(to_text(Shape{2, batch, 3}), "[2, batch, 3]");
  EXPECT_EQ(to_text(Shape{}), "[]");
  EXPECT_EQ(to_text(std::span<const int64_t>(List{1, -2})), "[1, -2]");
}

TEST(Shape, BroadcastAlignsAtTheEnd) {
  EXPECT_EQ(ints(broadcast({2, 3}, {3})), (List{2, 3}));
  EXPECT_EQ(ints(broadcast({3}, {4, 1, 3})), (List{4, 1, 3}));
  EXPECT_EQ(ints(broadcast({5, 1}, {1, 6})), (List{5, 6}));
  EXPECT_EQ(ints(broadcast({}, {2})), (List{2}));
  EXPECT_EQ(ints(broadcast({1}, {0})), (List{0}));
}

TEST(Shape, BroadcastErrorsNameBothShapesAndTheLine) {
  const auto line = Location::current().line() + 2;
  try {
    broadcast({2, 3}, {2, 4});
    FAIL() << "[2, 3] and [2, 4] were broadcast";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_EQ(error.given(), "[2, 3] and [2, 4]");
    EXPECT_EQ(error.where()->line(), line);
  }
  EXPECT_THROW(broadcast({0}, {2}), Error);
}

TEST(Shape, BroadcastGuardsOnlyWhatIsOpen) {
  const auto log = std::make_shared<expr::GuardLog>();
  const Size n = symbol("n", 8, log), m = symbol("m", 8, log);
  EXPECT_TRUE(broadcast({n, 1}, {1, n})[0].is_same(n));
  EXPECT_TRUE(broadcast({1}, {n + 1})[0].is_same(n + 1));
  EXPECT_TRUE(log->guards().empty());

  broadcast({n}, {m});
  EXPECT_EQ(log->guards().size(), 1u);
  EXPECT_EQ(broadcast({n}, {8})[0].known(), 8);
  EXPECT_THROW(broadcast({n}, {7}), Error);
}

TEST(Shape, WrapDim) {
  EXPECT_EQ(wrap_dim(1, 3), 1);
  EXPECT_EQ(wrap_dim(-1, 3), 2);
  EXPECT_EQ(wrap_dim(-3, 3), 0);
  for (int64_t dim : {3, -4}) {
    try {
      wrap_dim(dim, 3);
      FAIL() << dim;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::index);
      EXPECT_EQ(error.expected(), "a dimension from -3 to 2");
    }
  }
  EXPECT_THROW(wrap_dim(0, 0), Error);
  EXPECT_THROW(wrap_dim(INT64_MIN, 3), Error);
}

TEST(Shape, WrapDims) {
  const auto wrap = [](List dims, int64_t rank) {
    const Ints wrapped = wrap_dims(dims, rank);
    return List(wrapped.begin(), wrapped.end());
  };
  EXPECT_EQ(wrap({-1, 0}, 3), (List{0, 2}));
  EXPECT_EQ(wrap({}, 3), (List{0, 1, 2}));
  EXPECT_EQ(wrap({}, 0), List{});
  EXPECT_THROW(wrap({1, -2}, 3), Error);
  EXPECT_THROW(wrap({3}, 3), Error);
}

}  // namespace
}  // namespace ridge::shape_test
