#include <mutex>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/eager/eager.h"
#include "ridge/eager/eager_program.h"
#include "ridge/eager/recent_calls.h"
#include "ridge/execute/device_inputs.h"
#include "ridge/execute/kernel_status.h"
#include "ridge/ops/registry.h"
#include "ridge/verify/verify_kernels.h"

namespace ridge::eager {
namespace {

using dispatch::ArgKind;
using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

// A call made ready for exactly its shapes: everything but the addresses.
struct GpuCall {
  std::shared_ptr<const EagerProgram> program{};  // null: nothing to compute, the result is empty
  std::vector<Tensor> numbers{};                  // attributes that are read from memory
  Shape shape{};
  DType dtype{};
  Device device{};
};

GpuCall ready_for(ClassedCall classed, Device device) {
  GpuCall ready{.device = device};
  ready.program = find_program(classed, device);
  for (const double value : classed.numbers) ready.numbers.push_back(Tensor::number(value));
  return ready;
}

// What the kernels are launched with: operands on the device, aligned; then the numbers.
std::vector<Tensor> inputs_of(const GpuCall& ready, std::span<const Tensor* const> operands) {
  std::vector<Tensor> inputs;
  inputs.reserve(operands.size() + ready.numbers.size());
  for (const Tensor* operand : operands) {
    if (operand == nullptr || operand->numel().known() == 0) {
      inputs.emplace_back();
    } else if (operand->device() != ready.device) {
      inputs.push_back(execute::number_on_device(*operand, ready.device));
    } else {
      inputs.push_back(execute::aligned(*operand));
    }
  }
  for (const Tensor& number : ready.numbers) {
    inputs.push_back(execute::number_on_device(number, ready.device));
  }
  return inputs;
}

void check_can_generate(const ops::Call& call, DType result) {
  if (can_generate_for(call, result)) return;
  std::string given = concat("a result of ", name(result));
  for (const Tensor* operand : call.operands()) {
    if (operand != nullptr && is_storage_only(operand->dtype())) given = describe(*operand);
  }
  throw Error({.code = ErrorCode::dtype,
               .op = call.schema().name,
               .expected = "dtypes that kernels of a GPU compute with",
               .given = given,
               .hint = "elements that are only stored are moved on the CPU: to_device(x, kCpu)"});
}

// The reference finds what a kernel's status says, on the CPU, and can name the element.
void report(const Frame& frame, int32_t status) {
  std::vector<dispatch::Value> here;
  for (const dispatch::Arg& arg : frame.args) {
    here.push_back(dispatch::to_value(arg));
    if (arg.kind == ArgKind::tensor) here.back() = to_device(*arg.tensor, kCpu);
    if (arg.kind == ArgKind::device) here.back() = kCpu;
    if (arg.kind != ArgKind::tensors) continue;
    for (Tensor& tensor : std::get<dispatch::Tensors>(here.back())) {
      tensor = to_device(tensor, kCpu);
    }
  }
  const std::vector<dispatch::Arg> args = dispatch::borrow(here);
  std::vector<Tensor> results(frame.results.size());
  Frame again{frame.op, args, results, frame.where};
  redispatch(again, KeySet(Key::reference));
  execute::check_status(status, frame.op.name(), frame.where);
}

// Of the call that the user made, of which this one may be a part.
Location users_line(const Frame& frame) {
  const Frame* outermost = dispatch::thread_state().outermost;
  return outermost != nullptr ? outermost->where : frame.where;
}

void compute_on_gpu(Frame& frame, KeySet keys) {
  if (keys.has(Key::meta)) return redispatch(frame, KeySet(Key::meta));
  if (ops::run_derived(frame, ops::Composition::fastest)) return;
  const ops::OpRecord* record = frame.op.record();
  RIDGE_INTERNAL_CHECK(record != nullptr, "the eager backend knows ops by their records");
  const ops::Call call(frame.op.schema(), frame.args);
  const auto ready = recent_calls<GpuCall>().find(frame, [&] {
    const ops::Resolved resolved = ops::resolve(*record, call);
    check_can_generate(call, resolved.dtypes.outputs[0]);
    GpuCall made{.device = resolved.device};
    if (numel(resolved.shapes[0]).value() != 0) {
      made = ready_for(class_of(*record, call, resolved, ClassSizes::exact), resolved.device);
    }
    made.shape = resolved.shapes[0];
    made.dtype = resolved.dtypes.outputs[0];
    return std::make_shared<const GpuCall>(std::move(made));
  });
  Tensor result = Tensor::empty(ready->shape, ready->dtype, ready->device, frame.where);
  if (ready->program != nullptr) {
    const auto failure =
        ready->program->run(inputs_of(*ready, call.operands()), result, users_line(frame));
    if (failure) report(frame, failure->status);
  }
  if (verify::checks_kernels()) [[unlikely]]
    verify::check_eager(frame, result);
  frame.results[0] = std::move(result);
}

void check_assign(const ops::Call& call, const Tensor& to, const Tensor& from) {
  check_can_generate(call, to.dtype());
  if (to.device() != ops::common_device(call)) {
    call.fail(ErrorCode::device, "a tensor on " + to_text(from.device()) + " to write to",
              describe(to));
  }
  if (!(broadcast(to.shape(), from.shape()) == to.shape())) {
    call.fail(ErrorCode::shape, "a tensor that broadcasts to " + to_text(to.shape()),
              to_text(from.shape()));
  }
  if (to.may_overlap_itself()) {
    call.fail(ErrorCode::state, "a tensor whose elements are apart in memory",
              describe(to) + " with strides " + to_text(to.strides()));
  }
}

// May writing `to` change what is still to be read of `from`?
bool reads_what_it_writes(const Tensor& to, const Tensor& from) {
  const TensorImpl &a = to.impl(), &b = from.impl();
  return to.shares_storage_with(from) &&
         !(a.shape == b.shape && a.strides == b.strides && a.offset.known() == b.offset.known());
}

void assign_on_gpu(Frame& frame, KeySet keys) {
  if (keys.has(Key::meta)) return redispatch(frame, KeySet(Key::meta));
  const ops::Call call(frame.op.schema(), frame.args);
  const Tensor &to = call.tensor("to"), &from = call.tensor("from");
  const auto ready = recent_calls<GpuCall>().find(frame, [&] {
    check_assign(call, to, from);
    GpuCall made{.device = to.device()};
    if (to.numel().value() != 0) {
      made = ready_for(class_of_assign(frame.op, to, from, ClassSizes::exact), to.device());
    }
    return std::make_shared<const GpuCall>(std::move(made));
  });
  frame.results[0] = to;
  if (ready->program == nullptr) return;
  std::vector<Tensor> inputs = inputs_of(*ready, call.operands());
  if (reads_what_it_writes(to, from)) inputs[1] = execute::copy_of_span(from);
  ready->program->run(inputs, {}, users_line(frame));
  if (!inputs[0].is_same(to)) execute::write_span(to, inputs[0]);
}

}  // namespace

void install_eager_gpu() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& table = dispatch::OperatorTable::instance();
    const std::string where = "eager, compiled for a GPU";
    table.add_fallback(Key::cuda, dispatch::make_kernel(compute_on_gpu), where).keep();
    table.add_kernel("assign_", Key::cuda, dispatch::make_kernel(assign_on_gpu), where).keep();
  });
}

}  // namespace ridge::eager
