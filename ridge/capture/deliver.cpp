#include "ridge/capture/deliver.h"

namespace ridge::capture {

void assign_back(const Captured& captured, std::span<Tensor* const> tensors,
                 std::span<const Tensor* const> inputs, std::span<const Tensor> outputs) {
  // All are read before any is written: two members may have changed places.
  std::vector<Tensor> now;
  now.reserve(captured.replaced.size());
  for (const Captured::Replaced& replaced : captured.replaced) {
    now.push_back(tensor_of(replaced.now, inputs, outputs));
  }
  for (size_t i = 0; i < now.size(); ++i) {
    *tensors[captured.replaced[i].tensor] = std::move(now[i]);
  }
}

}  // namespace ridge::capture
