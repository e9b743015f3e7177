#include "ridge/runtime/cuda/matmul.h"

#include <algorithm>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

// A matrix as the library stores one: by columns, or transposed.
struct ColumnMatrix {
  int64_t rows, columns, leading;
  MatmulTranspose transpose;
  bool is_valid() const { return leading >= rows; }
};

// `rows` x `columns` with these steps; not valid where neither step is 1, or columns overlap.
ColumnMatrix by_columns(int64_t rows, int64_t columns, int64_t row_step, int64_t column_step) {
  const auto stored = [](int64_t inner, int64_t outer, int64_t step, MatmulTranspose transpose) {
    return ColumnMatrix{inner, outer, outer == 1 ? std::max(step, inner) : step, transpose};
  };
  const ColumnMatrix plain = stored(rows, columns, column_step, MatmulTranspose::no);
  if ((row_step == 1 || rows == 1) && plain.is_valid()) return plain;
  if (column_step == 1 || columns == 1) {
    return stored(columns, rows, row_step, MatmulTranspose::yes);
  }
  return {rows, columns, -1, MatmulTranspose::no};
}

MatmulOperand transposed(MatmulOperand operand) {
  std::swap(operand.row_step, operand.column_step);
  return operand;
}

// The library's result is stored by columns. Ours lies by rows, usually, so it computes the transpose
// of ours, whose columns are our rows: n x m, as the transpose of rhs times that of lhs.
struct Arrangement {
  ColumnMatrix a, b, d;
  MatmulOperand a_operand, b_operand, d_operand;
  bool is_swapped;  // a is rhs
};

Arrangement arrange(const MatmulShape& s) {
  const auto of = [](int64_t rows, int64_t columns, const MatmulOperand& operand) {
    return by_columns(rows, columns, operand.row_step, operand.column_step);
  };
  const MatmulOperand d = transposed(s.out);
  const ColumnMatrix by_rows = of(s.n, s.m, d);
  if (by_rows.is_valid() && by_rows.transpose == MatmulTranspose::no) {
    const MatmulOperand a = transposed(s.rhs), b = transposed(s.lhs);
    return {of(s.n, s.k, a), of(s.k, s.m, b), by_rows, a, b, d, true};
  }
  return {
      of(s.m, s.k, s.lhs), of(s.k, s.n, s.rhs), of(s.m, s.n, s.out), s.lhs, s.rhs, s.out, false};
}

bool is_16_bit(DataType type) { return type == DataType::bf16 || type == DataType::f16; }

// A description of the library, destroyed with its owner.
template <class Handle>
class Owned {
 public:
  explicit Owned(const Entry<CublasResult(Handle)>& destroy) : destroy_(&destroy) {}
  ~Owned() {
    if (handle_ != nullptr) (*destroy_)(handle_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Handle* operator&() { return &handle_; }  // NOLINT: what creates it takes its address
  operator Handle() const { return handle_; }

 private:
  const Entry<CublasResult(Handle)>* destroy_;
  Handle handle_ = nullptr;
};

class CublasLtPlan final : public MatmulPlan {
 public:
  CublasLtPlan(const CublasLtApi& api, CublasLtHandle handle, const MatmulShape& shape)
      : api_(api),
        handle_(handle),
        description_(api.matmul_desc_destroy),
        a_(api.matrix_layout_destroy),
        b_(api.matrix_layout_destroy),
        d_(api.matrix_layout_destroy) {
    const Arrangement arrangement = arrange(shape);
    is_swapped_ = arrangement.is_swapped;
    is_f64_ = shape.lhs.dtype == DataType::f64;
    check(api.matmul_desc_create, &description_, is_f64_ ? MatmulCompute::f64 : MatmulCompute::f32,
          is_f64_ ? DataType::f64 : DataType::f32);
    set_transpose(MatmulDescAttribute::transpose_a, arrangement.a.transpose);
    set_transpose(MatmulDescAttribute::transpose_b, arrangement.b.transpose);
    create(a_, arrangement.a, arrangement.a_operand, shape.batch);
    create(b_, arrangement.b, arrangement.b_operand, shape.batch);
    create(d_, arrangement.d, arrangement.d_operand, shape.batch);
    choose(arrangement);
  }

  bool is_possible() const { return is_possible_; }
  size_t workspace_bytes() const override { return choice_.workspace_bytes; }

  void launch(const MatmulLaunch& launch) const override {
    const void* a = is_swapped_ ? launch.rhs : launch.lhs;
    const void* b = is_swapped_ ? launch.lhs : launch.rhs;
    constexpr float kOne = 1, kZero = 0;
    constexpr double kWideOne = 1, kWideZero = 0;
    const void* one = is_f64_ ? static_cast<const void*>(&kWideOne) : &kOne;
    const void* zero = is_f64_ ? static_cast<const void*>(&kWideZero) : &kZero;
    check(api_.matmul, handle_, description_, one, a, a_, b, b_, zero, launch.out, d_, launch.out,
          d_, &choice_.algorithm, launch.workspace, choice_.workspace_bytes,
          reinterpret_cast<StreamHandle>(launch.stream.handle));
  }

 private:
  void set_transpose(MatmulDescAttribute attribute, MatmulTranspose transpose) {
    check(api_.matmul_desc_set, description_, attribute, &transpose, sizeof transpose);
  }

  void create(Owned<MatrixLayoutHandle>& layout, const ColumnMatrix& matrix,
              const MatmulOperand& operand, int64_t batch) {
    check(api_.matrix_layout_create, &layout, operand.dtype, static_cast<uint64_t>(matrix.rows),
          static_cast<uint64_t>(matrix.columns), matrix.leading);
    if (batch == 1) return;
    const auto count = static_cast<int32_t>(batch);
    check(api_.matrix_layout_set, layout, MatrixLayoutAttribute::batch_count, &count, sizeof count);
    check(api_.matrix_layout_set, layout, MatrixLayoutAttribute::batch_stride, &operand.batch_step,
          sizeof operand.batch_step);
  }

  void choose(const Arrangement& arrangement) {
    Owned<MatmulPreferenceHandle> preference(api_.preference_destroy);
    check(api_.preference_create, &preference);
    const auto set = [&](MatmulPreferenceAttribute attribute, const auto& value) {
      check(api_.preference_set, preference, attribute, &value, sizeof value);
    };
    set(MatmulPreferenceAttribute::max_workspace_bytes, uint64_t{kMatmulWorkspaceBytes});
    // Others would round partial sums to 16 bits.
    set(MatmulPreferenceAttribute::reduction_schemes, MatmulReduction::in_compute_type);
    set(MatmulPreferenceAttribute::alignment_a, arrangement.a_operand.alignment);
    set(MatmulPreferenceAttribute::alignment_b, arrangement.b_operand.alignment);
    set(MatmulPreferenceAttribute::alignment_c, arrangement.d_operand.alignment);
    set(MatmulPreferenceAttribute::alignment_d, arrangement.d_operand.alignment);
    int found = 0;
    const CublasResult result =
        api_.get_heuristic(handle_, description_, a_, b_, d_, d_, preference, 1, &choice_, &found);
    if (result != CublasResult::not_supported && result != CublasResult::success) {
      throw_cublas_error(api_.get_heuristic.symbol(), result);
    }
    is_possible_ =
        result == CublasResult::success && found > 0 && choice_.state == CublasResult::success;
  }

  const CublasLtApi& api_;
  CublasLtHandle handle_;
  Owned<MatmulDescHandle> description_;
  Owned<MatrixLayoutHandle> a_, b_, d_;
  MatmulChoice choice_{};
  bool is_swapped_ = false, is_f64_ = false, is_possible_ = false;
};

}  // namespace

Decision can_multiply(const MatmulShape& s) {
  constexpr int64_t kMost = INT32_MAX;  // of rows, columns and batches
  for (const int64_t extent : {s.m, s.n, s.k, s.batch}) {
    if (extent < 1 || extent > kMost) return Decision::no(concat("an extent of ", extent));
  }
  const bool is_known =
      is_16_bit(s.lhs.dtype) || s.lhs.dtype == DataType::f32 || s.lhs.dtype == DataType::f64;
  const bool widens = is_16_bit(s.lhs.dtype) && s.out.dtype == DataType::f32;
  if (!is_known || s.lhs.dtype != s.rhs.dtype || (s.out.dtype != s.lhs.dtype && !widens)) {
    return Decision::no("types that the library does not multiply");
  }
  const bool moves = s.lhs.batch_step != 0 && s.rhs.batch_step != 0 && s.out.batch_step != 0;
  if (s.batch > 1 && !moves) return Decision::no("an operand that all of a batch share");
  const Arrangement arrangement = arrange(s);
  if (!arrangement.a.is_valid() || !arrangement.b.is_valid() || !arrangement.d.is_valid() ||
      arrangement.d.transpose == MatmulTranspose::yes) {
    return Decision::no("a matrix stored neither by rows nor by columns");
  }
  return Decision::yes("matrices by rows or columns");
}

std::shared_ptr<const MatmulPlan> make_matmul_plan(const CublasLtApi& api, CublasLtHandle handle,
                                                   const MatmulShape& shape) {
  const Decision can = can_multiply(shape);
  RIDGE_CHECK(can.verdict, .code = ErrorCode::value,
              .expected = "matrices that cuBLASLt can multiply", .given = can.reason);
  auto plan = std::make_shared<CublasLtPlan>(api, handle, shape);
  return plan->is_possible() ? plan : nullptr;
}

}  // namespace ridge::runtime::cuda
