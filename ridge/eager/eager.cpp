#include "ridge/eager/eager.h"

#include <mutex>

#include "ridge/dispatch/operator_table.h"
#include "ridge/eager/eager_kernel.h"
#include "ridge/eager/recent_calls.h"
#include "ridge/execute/kernel_status.h"
#include "ridge/execute/launch_counts.h"
#include "ridge/reference/reference.h"
#include "ridge/runtime/cpu/thread_pool.h"
#include "ridge/verify/verify_kernels.h"

namespace ridge::eager {
namespace {

using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

void* address(const Tensor& tensor, Location where) {
  const TensorImpl& impl = tensor.impl();
  const auto offset = impl.offset.known();
  if (!offset || impl.storage->fake_owner() != nullptr) return tensor.raw_data(where);
  auto* data = static_cast<std::byte*>(impl.storage->data());
  return data + *offset * impl.dtype.bits / 8;
}

// The status of the first launch that has one.
int32_t launch(const EagerCall& call, std::span<const Tensor* const> operands, const Tensor& result,
               const Frame& frame) {
  SmallVector<Tensor, 1> scratch;
  for (const EagerCall::Scratch& memory : call.scratch) {
    scratch.push_back(Tensor::empty({memory.elements}, memory.dtype));
  }
  int32_t status = 0;
  for (const EagerLaunch& one : call.launches) {
    SmallVector<void*, 8> buffers;
    for (const int operand : one.buffers) {
      if (operand <= EagerCall::kNumber) {
        const auto number = static_cast<size_t>(EagerCall::kNumber - operand);
        buffers.push_back(const_cast<double*>(&call.numbers[number]));  // read, never written
        continue;
      }
      const Tensor& tensor = operand >= EagerCall::kScratch
                                 ? scratch[static_cast<size_t>(operand - EagerCall::kScratch)]
                             : operand == EagerCall::kResult
                                 ? result
                                 : *operands[static_cast<size_t>(operand)];
      buffers.push_back(address(tensor, frame.where));
    }
    one.function(buffers.data(), one.sizes.data(), &runtime::kernel_runtime(), &status);
    if (status != 0) return status;
  }
  if (execute::LaunchCounts* counts = execute::active_counts()) {
    counts->kernels += static_cast<int64_t>(call.launches.size());
    counts->bytes += call.bytes;
  }
  return status;
}

void compute(Frame& frame, KeySet keys) {
  if (keys.has(Key::meta)) return redispatch(frame, KeySet(Key::meta));
  if (ops::run_derived(frame, ops::Composition::fastest)) return;
  const ops::OpRecord* record = frame.op.record();
  RIDGE_INTERNAL_CHECK(record != nullptr, "the eager backend knows ops by their records");
  const ops::Call call(frame.op.schema(), frame.args);
  const auto ready =
      recent_calls<EagerCall>().find(frame, [&]() -> std::shared_ptr<const EagerCall> {
        const ops::Resolved resolved = ops::resolve(*record, call);
        if (!can_generate_for(call, resolved.dtypes.outputs[0])) return nullptr;
        return std::make_shared<const EagerCall>(prepare_call(*record, call, resolved));
      });
  if (ready == nullptr) return redispatch(frame, KeySet(Key::reference));
  Tensor result = Tensor::empty(ready->shape, ready->dtype, kCpu, frame.where);
  if (const int32_t status = launch(*ready, call.operands(), result, frame); status != 0) {
    // A status says that something was wrong. The reference finds the same and says what.
    redispatch(frame, KeySet(Key::reference));
    execute::check_status(status, frame.op.name(), frame.where);
  }
  if (verify::checks_kernels()) [[unlikely]]
    verify::check_eager(frame, result);
  frame.results[0] = std::move(result);
}

// Does writing `to` change what is still to be read of `from`?
bool may_disturb(const Tensor& to, const Tensor& from) {
  if (!to.shares_storage_with(from)) return false;
  const TensorImpl &a = to.impl(), &b = from.impl();
  return !(a.shape == b.shape && a.strides == b.strides && a.offset.known() == b.offset.known());
}

void assign(Frame& frame, KeySet keys) {
  if (keys.has(Key::meta)) return redispatch(frame, KeySet(Key::meta));
  const ops::Call call(frame.op.schema(), frame.args);
  const Tensor &to = call.tensor("to"), &from = call.tensor("from");
  const bool is_plain =
      can_generate_for(call, to.dtype()) && !to.may_overlap_itself() && !may_disturb(to, from);
  if (!is_plain) return redispatch(frame, KeySet(Key::reference));
  const auto ready = recent_calls<EagerCall>().find(frame, [&] {
    RIDGE_CHECK(broadcast(to.shape(), from.shape()) == to.shape(), .code = ErrorCode::shape,
                .expected = "a tensor that broadcasts to " + to_text(to.shape()),
                .given = to_text(from.shape()));
    return std::make_shared<const EagerCall>(prepare_assign(frame.op, to, from));
  });
  launch(*ready, call.operands(), to, frame);
  frame.results[0] = to;
}

}  // namespace

void install_eager() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& table = dispatch::OperatorTable::instance();
    table.add_fallback(Key::cpu, dispatch::make_kernel(compute), "eager, compiled").keep();
    table.add_kernel("assign_", Key::cpu, dispatch::make_kernel(assign), "eager, compiled").keep();
  });
}

}  // namespace ridge::eager
