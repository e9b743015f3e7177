// Plans of products, against a stand-in for cuBLASLt that multiplies on the host by what it was told.
#include "ridge/runtime/cuda/matmul.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/random.h"

namespace ridge::runtime::cuda::matmul_test {
namespace {

struct FakeLayout {
  DataType dtype;
  int64_t rows, columns, leading;
  int32_t batch = 1;
  int64_t batch_step = 0;
};
struct FakeDescription {
  MatmulCompute compute;
  MatmulTranspose a = MatmulTranspose::no, b = MatmulTranspose::no;
};
struct FakePreference {
  std::map<MatmulPreferenceAttribute, uint64_t> values;
};

FakeLayout& fake(MatrixLayoutHandle handle) { return *reinterpret_cast<FakeLayout*>(handle); }
FakeDescription& fake(MatmulDescHandle handle) {
  return *reinterpret_cast<FakeDescription*>(handle);
}

template <class Real>
void multiply(FakeDescription& description, const void* a, FakeLayout& a_layout, const void* b,
              FakeLayout& b_layout, void* d, FakeLayout& d_layout) {
  const auto at = [](FakeLayout& layout, MatmulTranspose transpose, int64_t row, int64_t column) {
    if (transpose == MatmulTranspose::yes) std::swap(row, column);
    EXPECT_LT(row, layout.rows);
    EXPECT_LT(column, layout.columns);
    return row + column * layout.leading;
  };
  const int64_t k = description.a == MatmulTranspose::no ? a_layout.columns : a_layout.rows;
  for (int64_t batch = 0; batch < d_layout.batch; ++batch) {
    for (int64_t row = 0; row < d_layout.rows; ++row) {
      for (int64_t column = 0; column < d_layout.columns; ++column) {
        Real sum = 0;
        for (int64_t i = 0; i < k; ++i) {
          sum += static_cast<const Real*>(
                     a)[batch * a_layout.batch_step + at(a_layout, description.a, row, i)] *
                 static_cast<const Real*>(
                     b)[batch * b_layout.batch_step + at(b_layout, description.b, i, column)];
        }
        static_cast<Real*>(d)[batch * d_layout.batch_step + row + column * d_layout.leading] = sum;
      }
    }
  }
}

constexpr auto kDone = CublasResult::success;

struct FakeLibrary {
  FakeLibrary() {
    living = 0;
    heuristics = 0;
    answer = kDone;
    api.matmul_desc_create.set(+[](MatmulDescHandle* into, MatmulCompute compute, DataType) {
      ++living;
      *into = reinterpret_cast<MatmulDescHandle>(new FakeDescription{compute});
      return kDone;
    });
    api.matmul_desc_destroy.set(+[](MatmulDescHandle handle) {
      --living;
      delete &fake(handle);
      return kDone;
    });
    api.matmul_desc_set.set(
        +[](MatmulDescHandle handle, MatmulDescAttribute which, const void* value, size_t bytes) {
          EXPECT_EQ(bytes, sizeof(MatmulTranspose));
          auto& into = which == MatmulDescAttribute::transpose_a ? fake(handle).a : fake(handle).b;
          std::memcpy(&into, value, bytes);
          return kDone;
        });
    set_layouts();
    set_choice();
  }

  void set_layouts() {
    api.matrix_layout_create.set(
        +[](MatrixLayoutHandle* into, DataType dtype, uint64_t rows, uint64_t columns, int64_t ld) {
          ++living;
          EXPECT_GE(ld, static_cast<int64_t>(rows));
          *into = reinterpret_cast<MatrixLayoutHandle>(
              new FakeLayout{dtype, static_cast<int64_t>(rows), static_cast<int64_t>(columns), ld});
          return kDone;
        });
    api.matrix_layout_destroy.set(+[](MatrixLayoutHandle handle) {
      --living;
      delete &fake(handle);
      return kDone;
    });
    api.matrix_layout_set.set(+[](MatrixLayoutHandle handle, MatrixLayoutAttribute which,
                                  const void* value, size_t bytes) {
      const bool is_count = which == MatrixLayoutAttribute::batch_count;
      EXPECT_EQ(bytes, is_count ? 4u : 8u);
      void* into = is_count ? static_cast<void*>(&fake(handle).batch) : &fake(handle).batch_step;
      std::memcpy(into, value, bytes);
      return kDone;
    });
  }

  void set_choice() {
    api.preference_create.set(+[](MatmulPreferenceHandle* into) {
      ++living;
      preference.values.clear();
      *into = reinterpret_cast<MatmulPreferenceHandle>(&preference);
      return kDone;
    });
    api.preference_destroy.set(+[](MatmulPreferenceHandle) {
      --living;
      return kDone;
    });
    api.preference_set.set(+[](MatmulPreferenceHandle, MatmulPreferenceAttribute which,
                               const void* value, size_t bytes) {
      EXPECT_EQ(bytes, which == MatmulPreferenceAttribute::max_workspace_bytes ? 8u : 4u);
      std::memcpy(&preference.values[which], value, bytes);
      return kDone;
    });
    api.get_heuristic.set(+[](CublasLtHandle, MatmulDescHandle, MatrixLayoutHandle,
                              MatrixLayoutHandle, MatrixLayoutHandle, MatrixLayoutHandle,
                              MatmulPreferenceHandle, int, MatmulChoice* choice, int* found) {
      ++heuristics;
      *found = answer == kDone ? 1 : 0;
      *choice = {};
      choice->algorithm = {{7}};
      choice->workspace_bytes = 4096;
      choice->state = answer;
      return answer;
    });
    api.matmul.set(+[](CublasLtHandle, MatmulDescHandle description, const void* alpha,
                       const void* a, MatrixLayoutHandle a_layout, const void* b,
                       MatrixLayoutHandle b_layout, const void* beta, const void* c,
                       MatrixLayoutHandle, void* d, MatrixLayoutHandle d_layout,
                       const MatmulAlgorithm* algorithm, void*, size_t workspace, StreamHandle) {
      EXPECT_EQ(algorithm->data[0], 7u);
      EXPECT_EQ(workspace, 4096u);
      EXPECT_EQ(c, d);
      if (fake(description).compute == MatmulCompute::f64) {
        EXPECT_EQ(*static_cast<const double*>(alpha) - *static_cast<const double*>(beta), 1.0);
        multiply<double>(fake(description), a, fake(a_layout), b, fake(b_layout), d,
                         fake(d_layout));
      } else {
        EXPECT_EQ(*static_cast<const float*>(alpha) - *static_cast<const float*>(beta), 1.0f);
        multiply<float>(fake(description), a, fake(a_layout), b, fake(b_layout), d, fake(d_layout));
      }
      return kDone;
    });
  }

  CublasLtApi api;
  static inline int living;
  static inline int heuristics;
  static inline CublasResult answer;
  static inline FakePreference preference;
};

// Rows with gaps between them, or columns.
MatmulOperand operand(DataType dtype, int64_t rows, int64_t columns, bool is_by_columns,
                      int64_t gap) {
  if (is_by_columns) return {dtype, 1, rows + gap, (rows + gap) * columns + gap};
  return {dtype, columns + gap, 1, (columns + gap) * rows + gap};
}

template <class Real>
std::vector<Real> random_elements(int64_t count, SplitMix64& random) {
  std::vector<Real> values(static_cast<size_t>(count));
  for (Real& value : values) value = static_cast<Real>(random.uniform(-1, 1));
  return values;
}

template <class Real>
void expect_product(const FakeLibrary& library, const MatmulShape& s) {
  SplitMix64 random(3);
  const auto lhs = random_elements<Real>(s.batch * 1000, random);
  const auto rhs = random_elements<Real>(s.batch * 1000, random);
  std::vector<Real> out(static_cast<size_t>(s.batch) * 1000, Real(77));
  const auto plan = make_matmul_plan(library.api, nullptr, s);
  ASSERT_NE(plan, nullptr);
  plan->launch({lhs.data(), rhs.data(), out.data(), nullptr, {}});
  const auto at = [](const MatmulOperand& x, int64_t batch, int64_t row, int64_t column) {
    return static_cast<size_t>(batch * x.batch_step + row * x.row_step + column * x.column_step);
  };
  for (int64_t i = 0; i < s.batch * s.m * s.n; ++i) {
    const int64_t n = i % s.n, m = i / s.n % s.m, b = i / s.n / s.m;
    double sum = 0;
    for (int64_t k = 0; k < s.k; ++k) {
      sum += static_cast<double>(lhs[at(s.lhs, b, m, k)]) *
             static_cast<double>(rhs[at(s.rhs, b, k, n)]);
    }
    ASSERT_NEAR(static_cast<double>(out[at(s.out, b, m, n)]), sum, 1e-5);
  }
}

TEST(Matmul, EveryArrangementIsTheProduct) {
  const FakeLibrary library;
  for (int which = 0; which < 64; ++which) {
    const bool is_batched = (which & 8) != 0;
    const int64_t gap = (which & 16) != 0 ? 3 : 0;
    const DataType dtype = (which & 32) != 0 ? DataType::f64 : DataType::f32;
    for (const auto& [m, n, k] :
         {std::array{5, 7, 4}, {1, 7, 4}, {5, 1, 4}, {5, 7, 1}, {1, 1, 1}}) {
      const MatmulShape shape{.m = m,
                              .n = n,
                              .k = k,
                              .batch = is_batched ? 3 : 1,
                              .lhs = operand(dtype, m, k, (which & 1) != 0, gap),
                              .rhs = operand(dtype, k, n, (which & 2) != 0, gap),
                              .out = operand(dtype, m, n, (which & 4) != 0, gap)};
      ASSERT_TRUE(can_multiply(shape)) << which << " " << m << " " << n << " " << k;
      if (dtype == DataType::f64) expect_product<double>(library, shape);
      if (dtype == DataType::f32) expect_product<float>(library, shape);
    }
  }
  EXPECT_EQ(FakeLibrary::living, 0);
}

MatmulShape plain(DataType in, DataType out) {
  return {.m = 8,
          .n = 8,
          .k = 8,
          .lhs = operand(in, 8, 8, false, 0),
          .rhs = operand(in, 8, 8, false, 0),
          .out = operand(out, 8, 8, false, 0)};
}

TEST(Matmul, AsksForExactSumsAndTellsTheAlignment) {
  const FakeLibrary library;
  MatmulShape shape = plain(DataType::bf16, DataType::bf16);
  shape.lhs.alignment = 4;  // the library's b, since it computes the transpose
  ASSERT_NE(make_matmul_plan(library.api, nullptr, shape), nullptr);
  auto& asked = FakeLibrary::preference.values;
  EXPECT_EQ(asked[MatmulPreferenceAttribute::max_workspace_bytes], kMatmulWorkspaceBytes);
  EXPECT_EQ(asked[MatmulPreferenceAttribute::reduction_schemes], 2u);
  EXPECT_EQ(asked[MatmulPreferenceAttribute::alignment_a], 16u);
  EXPECT_EQ(asked[MatmulPreferenceAttribute::alignment_b], 4u);
  EXPECT_EQ(asked[MatmulPreferenceAttribute::alignment_d], 16u);
}

TEST(Matmul, NoAlgorithmIsNoPlanAndLeavesNothing) {
  const FakeLibrary library;
  FakeLibrary::answer = CublasResult::not_supported;
  EXPECT_EQ(make_matmul_plan(library.api, nullptr, plain(DataType::f32, DataType::f32)), nullptr);
  EXPECT_EQ(FakeLibrary::heuristics, 1);
  EXPECT_EQ(FakeLibrary::living, 0);
}

TEST(Matmul, RefusesWhatTheLibraryLacks) {
  EXPECT_TRUE(can_multiply(plain(DataType::f16, DataType::f32)));
  EXPECT_FALSE(can_multiply(plain(DataType::f32, DataType::f64)));
  EXPECT_FALSE(can_multiply(plain(DataType::f32, DataType::bf16)));
  EXPECT_FALSE(can_multiply(plain(DataType::i32, DataType::i32)));
  MatmulShape mixed = plain(DataType::f32, DataType::f32);
  mixed.rhs.dtype = DataType::bf16;
  EXPECT_FALSE(can_multiply(mixed));
  MatmulShape empty = plain(DataType::f32, DataType::f32);
  empty.k = 0;
  EXPECT_FALSE(can_multiply(empty));
  MatmulShape shared = plain(DataType::f32, DataType::f32);
  shared.batch = 4;
  shared.lhs.batch_step = 0;
  EXPECT_FALSE(can_multiply(shared));
  MatmulShape scattered = plain(DataType::f32, DataType::f32);
  scattered.lhs.column_step = 2;
  scattered.lhs.row_step = 16;
  EXPECT_FALSE(can_multiply(scattered));
  MatmulShape repeated = plain(DataType::f32, DataType::f32);
  repeated.rhs.row_step = 0;  // one row for all k
  EXPECT_FALSE(can_multiply(repeated));
  const FakeLibrary library;
  EXPECT_THROW(make_matmul_plan(library.api, nullptr, repeated), Error);
}

}  // namespace
}  // namespace ridge::runtime::cuda::matmul_test
