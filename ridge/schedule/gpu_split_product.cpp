#include "ridge/schedule/gpu_split_product.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

class SplitProduct {
 public:
  SplitProduct(const LoopInput& input, int64_t parts)
      : input_(input), parts_(parts), product_(input.group.members.front()) {}

  std::optional<EmittedGroup> run() {
    GpuEmitter gpu(input_);
    const std::optional<ProductExtents> extents = product_extents(gpu.group);
    const auto count = gpu.extent_of(gpu.axes.outer).known();
    if (!extents || !count || !extents->k.known() || *extents->k.known() % parts_ != 0) {
      return std::nullopt;
    }
    dtype_ = gpu.group.accumulator(product_);
    scratch_ = {parts_, *count};
    const ProductTile tile{kProductTileSide, kProductTileSide, loop::Place::gpu_block};
    const PartialProduct partial{
        parts_, [&](const Expr& part, const Expr& element, int value) {
          const int buffer = scratch_buffer(gpu.emitter, input_.first_scratch, dtype_, scratch_,
                                            loop::Access::out);
          return loop::Store{buffer, gpu.emitter.simplified(part * *count + element), value};
        }};
    if (!emit_contraction(gpu.group, tile, &partial)) return std::nullopt;
    EmittedGroup result;
    result.kernels.push_back(gpu.group.finish());
    result.kernels.push_back(combined());
    result.scratch_buffers.push_back({dtype_, scratch_});
    return result;
  }

 private:
  // A thread for each few elements of the result.
  EmittedKernel combined() {
    GpuEmitter gpu(input_);
    forget_operands(gpu.group.patterns);
    emit_gpu_map(gpu, [&](const Expr& element) { add_partials(gpu.emitter, element); });
    gpu.group.decisions.push_back(
        Decision::yes(concat("sums of ", parts_, " parts of k are added in order")));
    return gpu.group.finish();
  }
  // What is read along k is not read here.
  static void forget_operands(std::vector<AccessPattern>& patterns) {
    const size_t inner = patterns.empty() ? 0 : patterns.front().coefficients.size();
    std::erase_if(patterns, [&](const AccessPattern& pattern) {
      return !pattern.is_store && pattern.is_affine && inner > 0 &&
             !expr::is_constant(pattern.coefficients.back(), 0);
    });
  }
  void add_partials(Emitter& emitter, const Expr& element) {
    const int buffer =
        scratch_buffer(emitter, input_.first_scratch, dtype_, scratch_, loop::Access::in);
    const int64_t count = *scratch_[1].known();
    Expr sum;
    for (int64_t part = 0; part < parts_; ++part) {
      const Expr load =
          expr::load(buffer, expr::Type::real, {emitter.simplified(part * count + element)});
      const int value = emitter.let("partial", dtype_, dtype_, load);
      sum = part == 0 ? emitter.read(value) : sum + emitter.read(value);
    }
    emitter.set_result(product_, emitter.let("product", dtype_, dtype_, sum));
  }

  const LoopInput& input_;
  int64_t parts_;
  const Member& product_;
  DType dtype_ = f32;
  Shape scratch_;  // parts, elements of the result
};

}  // namespace

std::optional<EmittedGroup> gpu_split_product(const LoopInput& input, int64_t parts) {
  return SplitProduct(input, parts).run();
}

}  // namespace ridge::schedule
