#include "ridge/loop/verify_tiles.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "ridge/base/error.h"
#include "tests/unit/loop/tile_slips.h"

namespace ridge::loop::verify_tiles_test {
namespace {

TEST(VerifyTiles, SamplesKeepTheRules) {
  EXPECT_EQ(verifier_says(tile_sample("product_unmapped")), "");
  EXPECT_EQ(verifier_says(tile_sample("product_mapped")), "");
  EXPECT_EQ(verifier_says(kAttention), "");
  EXPECT_EQ(verifier_says(kOneSlot), "");
  EXPECT_EQ(to_text(parse(kAttention)), kAttention);
}

// What no text can say: numbers of what is not there.
TEST(VerifyTiles, NumbersAreInRange) {
  const auto expect = [](const std::string& rule, const std::function<void(Kernel&)>& change) {
    Kernel kernel = parse(kOneSlot);
    change(kernel);
    try {
      verify(kernel);
      ADD_FAILURE() << rule;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what();
    }
  };
  const auto role = [](Kernel& kernel, size_t i) -> Role& {
    return std::get<Role>(kernel.body[i].kind);
  };
  const auto consume = [&](Kernel& kernel) -> Consume& {
    return std::get<Consume>(role(kernel, 0).body[3].kind);
  };
  expect("the number of a buffer", [](Kernel& k) { k.views[0].buffer = 9; });
  expect("the number of a ring", [](Kernel& k) { k.tiles[0].ring = 9; });
  expect("the number of a ring", [&](Kernel& k) { consume(k).ring = 9; });
  expect("the number of a tile",
         [&](Kernel& k) { std::get<Dot>(consume(k).body[0].kind).into = 99; });
  expect("the number of a tile",
         [&](Kernel& k) { std::get<WaitDot>(consume(k).body[1].kind).tiles = {-1}; });
  expect("the number of a view",
         [&](Kernel& k) { std::get<CopyTile>(role(k, 0).body[4].kind).view = -1; });
  expect("warps or warpgroups", [&](Kernel& k) { role(k, 1).warps = 2; });
  expect("may be in flight",
         [&](Kernel& k) { std::get<WaitStores>(role(k, 0).body[5].kind).pending = -1; });
}

TEST(VerifyTiles, DivisorsOfIndices) {
  const Expr i = expr::axis(0), n = expr::param(0, expr::Type::integer);
  EXPECT_EQ(known_divisor(64 * i + 32), 32);
  EXPECT_EQ(known_divisor(8 * (4 * i - 2 * n)), 16);
  EXPECT_EQ(known_divisor(Expr(0)), 1 << 20);
  EXPECT_EQ(known_divisor(Expr(std::numeric_limits<int64_t>::min()) * i), 1 << 20);
  EXPECT_EQ(known_divisor(floor_div(64 * i, n)), 1);
}

}  // namespace
}  // namespace ridge::loop::verify_tiles_test
