#include "ridge/execute/device_inputs.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "ridge/base/per_thread.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/layout_word.h"

namespace ridge::execute {
namespace {

void copy_span(const Tensor& to, const Tensor& from) {
  DeviceRuntime& runtime = device_runtime(to.device().kind);
  const auto bytes = static_cast<size_t>(span_of(from) * from.dtype().bits / 8);
  runtime.copy(device_address(to), device_address(from), bytes,
               runtime.current_stream(to.device()));
}

// A number was copied in the order of one stream, so it is known to be there for that stream only.
struct NumberKey {
  uint64_t bits = 0;
  DType dtype{};
  Stream stream{};
  bool operator==(const NumberKey&) const = default;

  size_t slot(size_t count) const {
    uint64_t hash = (bits ^ stream.handle << 7 ^ dtype.bits) * 0x9e3779b97f4a7c15u;
    hash ^= static_cast<uint64_t>(stream.device.index) << 40;
    return static_cast<size_t>(hash >> 32) % count;
  }
};

struct KnownNumbers {
  struct Slot {
    NumberKey key;
    Tensor tensor;
  };
  std::array<Slot, 256> slots;
};

}  // namespace

bool is_aligned(const Tensor& tensor) { return layout_word(tensor.impl()).is_aligned(); }

Tensor aligned(const Tensor& tensor) {
  return is_aligned(tensor) || span_of(tensor) == 0 ? tensor : copy_of_span(tensor);
}

Tensor copy_of_span(const Tensor& tensor) {
  Tensor copy = Tensor::empty({span_of(tensor)}, tensor.dtype(), tensor.device()).alias();
  TensorImpl& impl = copy.impl();
  impl.shape = tensor.shape();
  impl.strides = tensor.strides();
  impl.is_contiguous = tensor.is_contiguous();
  copy_span(copy, tensor);
  return copy;
}

void write_span(const Tensor& to, const Tensor& copy) { copy_span(to, copy); }

Tensor number_on_device(const Tensor& number, Device device) {
  KnownNumbers& known = per_thread<KnownNumbers>();
  NumberKey key{.dtype = number.dtype(),
                .stream = device_runtime(device.kind).current_stream(device)};
  std::memcpy(&key.bits, number.raw_data(), static_cast<size_t>(key.dtype.bits) / 8);
  KnownNumbers::Slot& slot = known.slots[key.slot(known.slots.size())];
  if (!slot.tensor.defined() || !(slot.key == key)) {
    slot = {key, to_device(number, device)};
  }
  return slot.tensor;
}

DeviceInputs::DeviceInputs(Device device, std::vector<bool> is_number, std::vector<bool> is_written)
    : device_(device),
      is_number_(std::move(is_number)),
      is_written_(std::move(is_written)),
      has_numbers_(std::ranges::find(is_number_, true) != is_number_.end()) {}

bool DeviceInputs::fit(std::span<const Tensor* const> inputs) const {
  if (device_ == kCpu) return true;
  return !has_numbers_ &&
         std::all_of(inputs.begin(), inputs.end(), [](const Tensor* t) { return is_aligned(*t); });
}

std::vector<Tensor> DeviceInputs::run_on_copies(std::span<const Tensor* const> inputs,
                                                const Run& run) const {
  std::vector<Tensor> there;
  std::vector<const Tensor*> pointers;
  there.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    there.push_back(is_number_[i] ? number_on_device(*inputs[i], device_) : aligned(*inputs[i]));
    pointers.push_back(&there.back());
  }
  std::vector<Tensor> outputs = run(pointers);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_written_[i] || there[i].is_same(*inputs[i])) continue;
    write_span(*inputs[i], there[i]);
    inputs[i]->storage().bump_version();
  }
  return outputs;
}

}  // namespace ridge::execute
