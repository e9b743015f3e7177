#include "ridge/autograd/write_node.h"

#include "ridge/base/text.h"
#include "ridge/core/layout.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::autograd {

WriteNode::WriteNode(std::string_view name, Location where, const Tensor& base,
                     Ref<ViewStep> last_step, Edges edges)
    : Node(name, where, 1, std::move(edges)),
      shape_(base.shape()),
      strides_(base.strides()),
      is_contiguous_(base.is_contiguous()),
      last_step_(std::move(last_step)) {}

// Only in the layout of the base are the steps sure to give views and no copies.
Tensor WriteNode::copy_in_base_layout(const Tensor& grad) const {
  if (is_contiguous_) return copy(grad, grad);
  const int64_t count = extent(shape_, strides_, 0).value();
  auto storage = Storage::allocate(bytes_for(grad.dtype(), count), grad.device());
  return copy_(Tensor::view_of(std::move(storage), shape_, strides_, 0, grad.dtype()), grad);
}

Tensors WriteNode::run(const Tensors& grads, const Needed& needed) {
  Tensors results(2);
  if (needed[0]) {
    results[0] = copy_in_base_layout(grads[0]);
    const Tensor region = replay(*last_step_, results[0]);
    RIDGE_INTERNAL_CHECK(region.shares_storage_with(results[0]),
                         concat("the view written to by ", name(), " did not replay as a view"));
    zero_(region);
  }
  if (needed[1]) results[1] = replay(*last_step_, grads[0]);
  return results;
}

}  // namespace ridge::autograd
