#include "ridge/mapping/passes/product_work.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/cost/function_count.h"
#include "ridge/expr/evaluate.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/verify_tiles.h"
#include "ridge/mapping/passes/skeleton.h"

namespace ridge::mapping {
namespace {

using loop::as;

class Describer {
 public:
  Describer(const loop::Kernel& kernel, std::span<const int64_t> sizes,
            std::span<const PitchOwner> owners)
      : kernel_(kernel), sizes_(sizes), owners_(owners), product_(match_product(kernel)) {}

  ProductWork run() {
    work_.m = number(product_.m), work_.n = number(product_.n), work_.k = number(product_.k);
    for (const loop::Loop* batch : product_.batches) work_.batch *= number(batch->extent);
    work_.accumulator = kernel_.tiles[static_cast<size_t>(product_.sum)].dtype;
    work_.lhs = operand(lhs_window(kernel_, product_), true);
    work_.rhs = operand(rhs_window(kernel_, product_), false);
    for (const loop::StoreTile* store : product_.stores) work_.results.push_back(result(*store));
    count_epilogue();
    return work_;
  }

 private:
  double number(const Expr& e) const {
    const expr::Leaves leaves{
        .param = [&](int index) { return expr::Number::of(sizes_[static_cast<size_t>(index)]); }};
    return static_cast<double>(expr::evaluate(e, leaves).as_integer());
  }

  PitchOwner owner(int buffer) const {
    const auto at = static_cast<size_t>(buffer);
    return at < owners_.size() ? owners_[at] : PitchOwner::user;
  }

  // A row of lhs runs along k, and a column of rhs.
  Operand operand(const Window& window, bool is_lhs) const {
    return {.dtype = dtype(window),
            .is_k_contiguous = window.is_column_contiguous != is_lhs,
            .alignment = alignment(window),
            .owner = owner(window.buffer)};
  }
  Result result(const loop::StoreTile& store) const {
    const Window window = result_window(kernel_, product_, store);
    return {.dtype = dtype(window),
            .is_n_contiguous = !window.is_column_contiguous,
            .alignment = alignment(window),
            .owner = owner(window.buffer)};
  }
  DType dtype(const Window& window) const {
    return kernel_.buffers[static_cast<size_t>(window.buffer)].dtype;
  }

  int64_t alignment(const Window& window) const {
    int64_t elements = kLineAlignment;
    const auto divide = [&](const Expr& e) {
      if (e.get() != nullptr) elements = std::min(elements, loop::known_divisor(e));
    };
    divide(window.first);
    divide(window.is_column_contiguous ? window.columns.stride : window.rows.stride);
    for (const Window::Dimension& batch : window.batches) divide(batch.stride);
    const int64_t bytes = elements * dtype(window).bits / 8;
    return std::min(kLineAlignment, bytes);
  }

  void count_epilogue() {
    const loop::EachElement& each = *product_.epilogue;
    for (const loop::Statement& statement : each.body) {
      const auto* const let = as<loop::Let>(statement);
      if (let == nullptr) continue;
      const auto on_load = [&](const Expr& load) {
        const bool has_row = mentions_axis(load, each.row_axis);
        const bool has_column = mentions_axis(load, each.column_axis);
        const DType dtype = kernel_.buffers[static_cast<size_t>(load->index)].dtype;
        if (has_row && has_column) {
          work_.epilogue.tile_load_bytes += dtype.bits / 8.0;
        } else {
          ++work_.epilogue.column_loads;
        }
      };
      const cost::Operations operations =
          cost::count_functions(let->expression, {.forms = let->forms}, on_load);
      work_.epilogue.flops += cost::flops_of(operations);
      expr::walk(let->expression, [&](const Expr& node) {
        const bool is_call = node->kind == expr::Kind::call && node->type == expr::Type::real;
        if (is_call && cost::is_special(node->function)) work_.epilogue.special_functions += 1;
      });
    }
  }

  const loop::Kernel& kernel_;
  std::span<const int64_t> sizes_;
  std::span<const PitchOwner> owners_;
  ProductSkeleton product_;
  ProductWork work_{};
};

}  // namespace

DescribedProduct describe_product(const loop::Kernel& unmapped, std::span<const int64_t> sizes,
                                  std::span<const PitchOwner> owners) {
  try {
    ProductWork work = Describer(unmapped, sizes, owners).run();
    return {Decision::yes("a product"), std::move(work)};
  } catch (const Refused& refused) {
    return {Decision::no(refused.reason), {}};
  }
}

}  // namespace ridge::mapping
