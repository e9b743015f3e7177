// Timing the cases of `ridge bench 'gpu.*'` on the first GPU.
#pragma once

#include "gpu_bench_cases.h"
#include "ridge/cost/sheet.h"

namespace ridge::command {

struct GpuResult {
  std::string name;
  std::string error{};  // why it has no times
  size_t kernels = 0;
  double seconds = 0;  // events around the whole program
  double spread = 0;
  double floor = 0;      // the fastest plain kernel over the same arrays; of products, the model's
  double predicted = 0;  // 0 where nothing is
  int64_t bytes = 0;     // of the arrays that must be touched
  std::string bound{};
  std::string note{};
};

class GpuBench {
 public:
  // Error{device} with the reason where there is no GPU.
  explicit GpuBench(std::shared_ptr<const cost::Sheet> sheet);

  // An error of a case is in its result: the others are timed all the same.
  GpuResult run(const GpuCase& gpu_case);
  // Bytes a second of the plain sweep for a copy of this array.
  double copy_rate(int64_t bytes);

 private:
  GpuResult timed(const GpuCase& gpu_case);
  ReadyCase prepare(const GpuCase& gpu_case);

  std::shared_ptr<const cost::Sheet> sheet_;
  calibrate::CudaTimer timer_;
  calibrate::PlainSweep sweep_;
};

// Error{device} where there is none: one line, of that command.
void need_gpu(const char* command);
// The sheet that programs for the first GPU are planned on.
std::shared_ptr<const cost::Sheet> first_gpu_sheet();
std::string first_gpu_name();

}  // namespace ridge::command
