#include "ridge/driver/eager.h"

#include <array>
#include <bit>
#include <mutex>

#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/driver/eager_kernel.h"
#include "ridge/driver/kernel_status.h"
#include "ridge/driver/launch_counts.h"
#include "ridge/reference/assign.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::driver {
namespace {

using dispatch::Arg;
using dispatch::ArgKind;
using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

// Everything about a call but addresses and elements, as words; false if it does not fit.
class CallKey {
 public:
  static constexpr size_t kCapacity = 96;

  bool build(const Frame& frame) {
    add(std::bit_cast<uint64_t>(&frame.op));
    for (const Arg& arg : frame.args) {
      add(static_cast<uint64_t>(arg.kind) | arg.count << 8);
      switch (arg.kind) {
        case ArgKind::none: break;
        case ArgKind::tensor: add_tensor(*arg.tensor); break;
        case ArgKind::tensors:
          for (const Tensor& tensor : arg.tensors()) add_tensor(tensor);
          break;
        case ArgKind::integer: add(static_cast<uint64_t>(arg.integer)); break;
        case ArgKind::real: add(std::bit_cast<uint64_t>(arg.real)); break;
        case ArgKind::flag: add(arg.flag ? 1 : 0); break;
        case ArgKind::dtype:
          add(static_cast<uint64_t>(arg.dtype.kind) << 8 | arg.dtype.bits);
          break;
        case ArgKind::device: add(static_cast<uint64_t>(arg.device.kind)); break;
        case ArgKind::ints:
          for (const int64_t value : arg.ints()) add(static_cast<uint64_t>(value));
          break;
        case ArgKind::sizes:
          for (const Size& size : arg.sizes()) add_size(size);
          break;
      }
    }
    return fits_;
  }

  uint64_t hash() const {
    uint64_t hash = count_;
    for (size_t i = 0; i < count_; ++i) {
      hash = (hash ^ words_[i]) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
  bool operator==(const CallKey& other) const {
    return count_ == other.count_ &&
           std::equal(words_.begin(), words_.begin() + static_cast<ptrdiff_t>(count_),
                      other.words_.begin());
  }
  CallKey() = default;
  CallKey(const CallKey& other) : count_(other.count_), fits_(other.fits_) {
    std::copy_n(other.words_.begin(), count_, words_.begin());
  }
  CallKey& operator=(const CallKey& other) {
    count_ = other.count_;
    fits_ = other.fits_;
    std::copy_n(other.words_.begin(), count_, words_.begin());
    return *this;
  }

 private:
  void add(uint64_t word) {
    if (count_ < kCapacity) {
      words_[count_++] = word;
    } else {
      fits_ = false;
    }
  }
  void add_size(const Size& size) {
    const auto known = size.known();
    fits_ &= known.has_value();
    add(static_cast<uint64_t>(known.value_or(0)));
  }
  void add_tensor(const Tensor& tensor) {
    const TensorImpl& impl = tensor.impl();
    add(static_cast<uint64_t>(impl.dtype.kind) | static_cast<uint64_t>(impl.dtype.bits) << 8 |
        static_cast<uint64_t>(impl.device.kind) << 16 | (impl.is_weak ? 1u << 24 : 0u) |
        (impl.is_contiguous ? 1u << 25 : 0u) | static_cast<uint64_t>(impl.shape.size()) << 32);
    for (const Size& size : impl.shape) add_size(size);
    if (impl.is_contiguous) return;
    for (const Size& stride : impl.strides) add_size(stride);
  }

  std::array<uint64_t, kCapacity> words_;
  size_t count_ = 0;
  bool fits_ = true;
};

// Calls this thread made lately. A slot keeps one call; a collision replaces it.
struct CallTable {
  static constexpr size_t kSlots = 512;
  struct Slot {
    CallKey key;
    std::shared_ptr<const EagerCall> call;
  };
  std::vector<Slot> slots = std::vector<Slot>(kSlots);
};

CallTable& call_table() {
  thread_local CallTable table;
  return table;
}

void* address(const Tensor& tensor, Location where) {
  const TensorImpl& impl = tensor.impl();
  const auto offset = impl.offset.known();
  if (!offset || impl.storage->stand_in_owner() != nullptr) return tensor.raw_data(where);
  auto* data = static_cast<std::byte*>(impl.storage->data());
  return data + *offset * impl.dtype.bits / 8;
}

// The status of the launch.
int32_t launch(const EagerCall& call, std::span<const Tensor* const> operands, const Tensor& result,
               const Frame& frame) {
  if (call.function == nullptr) return 0;
  SmallVector<void*, 8> buffers;
  Tensor scratch;
  for (const int operand : call.buffers) {
    if (operand <= EagerCall::kNumber) {
      const auto number = static_cast<size_t>(EagerCall::kNumber - operand);
      buffers.push_back(const_cast<double*>(&call.numbers[number]));  // read, never written
      continue;
    }
    if (operand == EagerCall::kScratch) scratch = Tensor::empty(call.shape, f32);
    const Tensor& tensor = operand == EagerCall::kScratch ? scratch
                           : operand == EagerCall::kResult
                               ? result
                               : *operands[static_cast<size_t>(operand)];
    buffers.push_back(address(tensor, frame.where));
  }
  int32_t status = 0;
  call.function(buffers.data(), call.sizes.data(), &runtime::kernel_runtime(), &status);
  if (LaunchCounts* counts = active_counts()) {
    ++counts->kernels;
    counts->bytes += call.bytes;
  }
  return status;
}

// The call, from the table or made ready now; null if generated code cannot compute it.
template <class Prepare>
std::shared_ptr<const EagerCall> find_call(const Frame& frame, Prepare prepare) {
  CallKey key;
  if (!key.build(frame)) return prepare();
  CallTable::Slot& slot = call_table().slots[key.hash() % CallTable::kSlots];
  if (slot.call != nullptr && slot.key == key) return slot.call;
  std::shared_ptr<const EagerCall> call = prepare();
  slot.key = key;
  slot.call = call;
  return call;
}

void compute(Frame& frame, KeySet keys) {
  if (keys.has(Key::meta)) return redispatch(frame, KeySet(Key::meta));
  if (ops::run_derived(frame)) return;
  const ops::OpRecord* record = frame.op.record();
  RIDGE_INTERNAL_CHECK(record != nullptr, "the eager backend knows ops by their records");
  const ops::Call call(frame.op.schema(), frame.args);
  const auto ready = find_call(frame, [&]() -> std::shared_ptr<const EagerCall> {
    const ops::Resolved resolved = ops::resolve(*record, call);
    if (!can_generate_for(call, resolved.dtypes.outputs[0])) return nullptr;
    return std::make_shared<const EagerCall>(prepare_call(*record, call, resolved));
  });
  if (ready == nullptr) return redispatch(frame, KeySet(Key::reference));
  Tensor result = Tensor::empty(ready->shape, ready->dtype, kCpu, frame.where);
  if (const int32_t status = launch(*ready, call.operands(), result, frame); status != 0) {
    // A status says that something was wrong. The reference finds the same and says what.
    redispatch(frame, KeySet(Key::reference));
    check_status(status, frame.op.name(), frame.where);
  }
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
  const auto ready = find_call(frame, [&] {
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

}  // namespace ridge::driver
