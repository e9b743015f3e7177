// The status words of the calls of a program on a GPU, Note [Late failures], and what they mean.
#pragma once

#include <memory>

#include "ridge/driver/executor.h"
#include "ridge/driver/late_failure.h"
#include "ridge/runtime/cuda/status_words.h"

namespace ridge::driver {

class CudaStatus {
 public:
  CudaStatus(std::shared_ptr<LateFailures> late, size_t calls, Device device)
      : late_(std::move(late)), words_(device, calls, [late = late_](size_t call, int32_t status) {
          return late->error(call, status);
        }) {}

  int32_t* data() const { return words_.data(); }  // by call
  void note_capture() const { words_.note_capture(); }
  void note_use(Stream stream, const Location* where) const {
    words_.note_use(stream);
    if (where != nullptr) late_->note_line(*where);
  }
  void check_earlier_runs() const { words_.throw_if_set(); }
  // After a wait: what is known by then.
  std::optional<Failure> first_failure() const {
    const auto set = words_.take();
    return set ? std::optional(Failure{set->word, set->status}) : std::nullopt;
  }

 private:
  std::shared_ptr<LateFailures> late_;
  runtime::cuda::StatusWords words_;
};

}  // namespace ridge::driver
