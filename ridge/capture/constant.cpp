#include "ridge/capture/constant.h"

#include "ridge/graph/recorder.h"

namespace ridge {

Tensor constant(const Tensor& tensor, Location where) {
  graph::Recorder* recorder = graph::Recorder::active();
  if (recorder == nullptr || tensor.storage(where).fake_owner() != nullptr) return tensor;
  RIDGE_CHECK(tensor.device() == kCpu, .code = ErrorCode::device, .op = "constant",
              .expected = "a tensor of the CPU, which a program copies to where it runs",
              .given = "one on " + to_text(tensor.device()),
              .hint = "make it an argument of the function", .where = where);
  return located("constant", where, [&] { return recorder->constant(tensor); });
}

}  // namespace ridge
