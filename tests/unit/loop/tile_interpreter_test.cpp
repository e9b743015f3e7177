// The unmapped form on the host, against plain loops.
#include <cmath>

#include "tests/unit/loop/run_unverified.h"
#include "tests/unit/loop/tile_samples.h"

namespace ridge::loop::tile_interpreter_test {
namespace {

using TileSizes = std::vector<int64_t>;

struct Product {
  int64_t m, n, k;
  std::vector<BFloat16> a = random_vector<BFloat16>(m * k, 1);
  std::vector<BFloat16> b = random_vector<BFloat16>(n * k, 2);
  std::vector<BFloat16> bias = random_vector<BFloat16>(n, 3);
  std::vector<BFloat16> out = std::vector<BFloat16>(static_cast<size_t>(m * n));

  Counts run(const std::string& text, Options options) {
    return run_text(text, {m, n, k}, options, a, b, bias, out);
  }
  BFloat16 expected(int64_t row, int64_t column) const {
    float sum = 0;
    for (int64_t i = 0; i < k; ++i) {
      sum = std::fma(float(a[static_cast<size_t>(row * k + i)]),
                     float(b[static_cast<size_t>(column * k + i)]), sum);
    }
    return BFloat16(std::max(sum + float(bias[static_cast<size_t>(column)]), 0.0f));
  }
  void expect_right() const {
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        ASSERT_EQ(out[static_cast<size_t>(row * n + column)].bits, expected(row, column).bits)
            << row << ", " << column;
      }
    }
  }
};

TEST(TileInterpreter, ProductHasTheSameBitsWithAllSizesOfTiles) {
  for (const TileSizes& sizes : {TileSizes{4, 8, 4}, {16, 16, 16}, {7, 5, 3}, {64, 64, 64}}) {
    Product product{33, 29, 21};
    const Counts counts = product.run(tile_sample("product_unmapped"), {.tile_sizes = sizes});
    product.expect_right();
    EXPECT_EQ(counts.tiles.unwritten, 0);
    EXPECT_EQ(counts.stores.elements, 33 * 29);
  }
}

TEST(TileInterpreter, BlocksRunInAnyOrder) {
  Product product{19, 17, 9};
  product.run(tile_sample("product_unmapped"), {.reverse_tasks = true, .tile_sizes = {8, 8, 8}});
  product.expect_right();
}

TEST(TileInterpreter, CountsDotsAndWhatIsMissing) {
  Product product{10, 6, 5};
  std::string text = tile_sample("product_unmapped");
  Counts counts = product.run(text, {.tile_sizes = {4, 4, 4}});
  EXPECT_EQ(counts.tiles.dots, 3 * 2 * 2);
  EXPECT_EQ(counts.tiles.dot_flops, 3 * 2 * 2 * (2 * 4 * 4 * 4));
  text = replaced(text, "= result[i3, i4] within m - tm * i0, n - tn * i1",
                  "= result[i3, i4] within m - tm * i0 - 1, n - tn * i1");
  counts = product.run(text, {.tile_sizes = {4, 4, 4}});
  EXPECT_EQ(counts.tiles.unwritten, 6);  // the last row
}

std::string product_refusal(const std::string& text, const TileSizes& sizes = {4, 4, 4}) {
  Product p{10, 6, 5};
  return refusal([&] {
    run_unverified(text, {p.m, p.n, p.k}, {.tile_sizes = sizes}, p.a, p.b, p.bias, p.out);
  });
}

TEST(TileInterpreter, ReadingAnElementWithoutAValueIsReported) {
  const std::string text = tile_sample("product_unmapped");
  const std::string unfilled = product_refusal(replaced(text, "      fill sum = 0.0\n", ""));
  expect_part(unfilled, "sum[0, 0], at `dot sum += lhs * rhs` in block 0");
  // Each block has tiles of its own: what the first one wrote is gone.
  const std::string part =
      replaced(text, "within m - tm * i0, n - tn * i1 {", "within m - tm * i0, 3 {");
  expect_part(product_refusal(part), "result[0, 3]");
}

TEST(TileInterpreter, AccessesOutOfRangeAreReported) {
  const std::string text = tile_sample("product_unmapped");
  expect_part(product_refusal(replaced(text, "within m - tm * i0, k - tk * i2", "within *, *")),
              "loads within the 50 elements of a, given a[50], at `load lhs");
  const std::string store = "= result[i3, i4] within m - tm * i0, n - tn * i1";
  expect_part(product_refusal(replaced(text, "store out[n * (", "store out[1000 + n * (")),
              "stores within the 60 elements of out, given out[1000]");
}

TEST(TileInterpreter, WritingAnElementTwiceIsReported) {
  const std::string text = tile_sample("product_unmapped");
  expect_part(product_refusal(replaced(text, "store out[n * (tm * i0 + i3) + tn * i1 + i4]",
                                       "store out[n * (tm * i0 + i3) + i4]")),
              "out[0] written twice, by block 0 and by block 1");
}

TEST(TileInterpreter, TileSizesAreGiven) {
  Product product{10, 6, 5};
  EXPECT_NE(refusal([&] { product.run(tile_sample("product_unmapped"), {}); }), "");
}

// Softmax of the rows of a product, times another matrix: statistics stay in tiles.
constexpr std::string_view kChain =
    R"(kernel chain(q: f32[m * 16] in, k: f32[n * 16] in, v: f32[n * 16] in, out: f32[m * 16] out; m, n; tm, tn) {
  tile scores: f32[tm, tn]
  tile q_tile: f32[tm, 16]
  tile k_tile: f32[tn, 16]
  tile v_tile: f32[tn, 16]
  tile top: f32[tm, 1]
  tile old: f32[tm, 1]
  tile total: f32[tm, 1]
  tile sum: f32[tm, 16]
  for i0 in (m + tm - 1) // tm @gpu_block {
    load q_tile[i1, i2] = q[16 * (tm * i0 + i1) + i2] within m - tm * i0, *
    fill top = -inf
    fill total = 0.0
    fill sum = 0.0
    for i3 in (n + tn - 1) // tn {
      load k_tile[i1, i2] = k[16 * (tn * i3 + i1) + i2] within n - tn * i3, *
      load v_tile[i1, i2] = v[16 * (tn * i3 + i1) + i2] within n - tn * i3, *
      fill scores = 0.0
      dot scores += q_tile * k_tile transposed
      each i1, i2 of top {
        read v0: f32 = top
        write old = v0
      }
      fold top max= scores along columns within *, n - tn * i3
      each i1, i2 of scores {
        read v1: f32 = scores
        read v2: f32 = top
        let v3: f32 = select(i2 < n - tn * i3, exp(v1 - v2), 0.0)
        write scores = v3
      }
      each i1, i2 of total {
        read v4: f32 = total
        read v5: f32 = old
        read v6: f32 = top
        let v7: f32 = v4 * exp(v5 - v6)
        write total = v7
      }
      each i1, i2 of sum {
        read v8: f32 = sum
        read v9: f32 = old
        read v10: f32 = top
        let v11: f32 = v8 * exp(v9 - v10)
        write sum = v11
      }
      fold total sum= scores along columns
      dot sum += scores * v_tile
    }
    each i1, i2 of sum {
      read v12: f32 = sum
      read v13: f32 = total
      let v14: f32 = v12 / v13
      write sum = v14
    }
    store out[16 * (tm * i0 + i1) + i2] = sum[i1, i2] within m - tm * i0, *
  }
}
)";

TEST(TileInterpreter, ChainOfDotFoldEachAndDot) {
  const int64_t m = 13, n = 22, width = 16;
  const auto q = random_vector(m * width, 1), k = random_vector(n * width, 2),
             v = random_vector(n * width, 3);
  for (const TileSizes& sizes : {TileSizes{4, 8}, {5, 3}, {16, 32}}) {
    std::vector<float> out(static_cast<size_t>(m * width));
    run_text(kChain, {m, n}, {.tile_sizes = sizes}, q, k, v, out);
    for (int64_t row = 0; row < m; ++row) {
      std::vector<double> weights;
      double total = 0;
      for (int64_t key = 0; key < n; ++key) {
        double score = 0;
        for (int64_t i = 0; i < width; ++i) {
          score += double(q[static_cast<size_t>(row * width + i)]) *
                   double(k[static_cast<size_t>(key * width + i)]);
        }
        weights.push_back(std::exp(score));
        total += weights.back();
      }
      for (int64_t i = 0; i < width; ++i) {
        double expected = 0;
        for (int64_t key = 0; key < n; ++key) {
          expected += weights[static_cast<size_t>(key)] / total *
                      double(v[static_cast<size_t>(key * width + i)]);
        }
        // Weights sum to 1, scores reach about 60 and are rounded to 24 bits.
        ASSERT_NEAR(out[static_cast<size_t>(row * width + i)], expected, 2e-5) << row << ", " << i;
      }
    }
  }
}

// Folds along both, of a tile of which some is left out, in the order of Note [Collective order].
constexpr std::string_view kFolds =
    R"(kernel folds(x: f32[40] in, rows: f32[5] out, columns: f32[8] out; r, c) {
  tile t: f32[5, 8]
  tile of_rows: f32[5, 1]
  tile of_columns: f32[1, 8]
  for i0 in 1 @gpu_block {
    load t[i1, i2] = x[8 * i1 + i2]
    fill of_rows = 1.0
    fill of_columns = -inf
    fold of_rows sum= t along columns within r, c
    fold of_columns max= t along rows within r, c
    store rows[i1] = of_rows[i1, i2]
    store columns[i2] = of_columns[i1, i2]
  }
}
)";

TEST(TileInterpreter, FoldsInTheFixedOrder) {
  const auto x = random_vector(40, 5);
  const auto at = [&](int64_t row, int64_t column) {
    return x[static_cast<size_t>(8 * row + column)];
  };
  std::vector<float> rows(5), columns(8);
  run_text(kFolds, {4, 6}, {}, x, rows, columns);
  for (int64_t row = 0; row < 5; ++row) {
    // As a binary tree over 8: columns 6 and 7 count nothing.
    const float expected = 1.0f + (((at(row, 0) + at(row, 4)) + at(row, 2)) +
                                   ((at(row, 1) + at(row, 5)) + at(row, 3)));
    EXPECT_EQ(rows[static_cast<size_t>(row)], row < 4 ? expected : 1.0f) << row;
  }
  for (int64_t column = 0; column < 8; ++column) {
    float expected = -INFINITY;
    for (int64_t row = 0; row < 4; ++row) expected = std::max(expected, at(row, column));
    EXPECT_EQ(columns[static_cast<size_t>(column)], column < 6 ? expected : -INFINITY) << column;
  }
}

// An element that is stored from an `each`, under a condition; f64 sums; operands in the other orders.
constexpr std::string_view kOther =
    R"(kernel other(a: f32[k * m] in, b: f32[n * k] in, out: f64[m * n] in_out; m, n, k; tm, tn) {
  tile lhs: f32[k, tm]
  tile rhs: f32[tn, k]
  tile sum: f64[tm, tn]
  for i0 in (m + tm - 1) // tm @gpu_block {
    for i1 in (n + tn - 1) // tn @gpu_block {
      fill sum = 0.0
      load lhs[i2, i3] = a[m * i2 + tm * i0 + i3] within *, m - tm * i0
      load rhs[i2, i3] = b[k * (tn * i1 + i2) + i3] within n - tn * i1, *
      dot sum += lhs transposed * rhs transposed
      each i2, i3 of sum within m - tm * i0, n - tn * i1 {
        read v0: f64 = sum
        let v1: f64 = v0 + out[n * (tm * i0 + i2) + tn * i1 + i3] in f64
        if v1 > 0.0 {
          out[n * (tm * i0 + i2) + tn * i1 + i3] = v1
        }
      }
    }
  }
}
)";

TEST(TileInterpreter, TransposedOperandsSumsInF64AndStoresOfElements) {
  const int64_t m = 11, n = 9, k = 6;
  const auto a = random_vector(k * m, 1), b = random_vector(n * k, 2);
  const auto before = random_vector<double>(m * n, 3);
  for (const TileSizes& sizes : {TileSizes{4, 4}, {11, 2}}) {
    std::vector<double> out = before;
    run_text(kOther, {m, n, k}, {.tile_sizes = sizes}, a, b, out);
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        double sum = 0;
        for (int64_t i = 0; i < k; ++i) {
          sum = std::fma(double(a[static_cast<size_t>(i * m + row)]),
                         double(b[static_cast<size_t>(column * k + i)]), sum);
        }
        const auto index = static_cast<size_t>(row * n + column);
        sum += before[index];
        EXPECT_EQ(out[index], sum > 0 ? sum : before[index]);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::loop::tile_interpreter_test
