// Timing the cases of `ridge bench 'gpu.*'` on the first GPU.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench_run.h"
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

// Does the model order two ways to do the same on a GPU as the clock does?
//
// Each case of the list as it is chosen against itself without fusion, and in each of the other
// mappings. A case with a way that fails counts as one wrong pair. Cases without a list of inputs, and
// matrix products, which a library may do, are left out.
Ranking rank_gpu_pairs(const std::vector<GpuCase>& cases,
                       const std::shared_ptr<const cost::Sheet>& sheet, double margin);

// Whether what a GPU computed is right: a kernel that is fast and wrong must not count.
//
// The reference evaluates the same function in f64 on the same inputs, for some rows of the run that
// is timed, and for all of a small one.

// Tensors of the host. Error{state} names the element that differs most. The tolerance follows the
// dtype of `ours` and the number of terms in a sum.
void check_close(const std::string& what, const Tensor& ours, const Tensor& expected,
                 int64_t terms);

// Rows of `inputs` and `outputs`, which are on the device.
void check_rows(const GpuCase& gpu_case, const Tensors& inputs, const Tensors& outputs);
// All of a run at the sizes of `gpu_case.small`.
void check_small(const GpuCase& gpu_case, Device device);

// What the model says of the cases of `ridge bench 'gpu.*'`: beside their times, or with no GPU at all.
struct GpuPrediction {
  double seconds = 0;
  double floor = 0;  // of all its kernels, by the sheet
  size_t kernels = 0;
  std::string bound{};  // of the kernel that takes longest
};

// With cold caches, as the timer leaves them.
GpuPrediction predict_cold(schedule::Plan plan, const graph::Graph& graph,
                           std::shared_ptr<const cost::Sheet> sheet);

// Each case planned for the device of the sheet and not run: a table to stdout unless JSON is wanted. The
// floor is what the model says of a plain kernel that touches the same arrays. Cases that are no one
// program of given inputs (times of the host, of compiling, an optimizer) are left out, and named on stderr.
nlohmann::json predict_gpu_cases(const std::vector<GpuCase>& cases,
                                 const std::shared_ptr<const cost::Sheet>& sheet, bool as_json);

// `ridge bench 'gpu.*'` as a table and as JSON.
struct GpuBenchOptions {
  std::string sheet{};  // empty: that of the GPU
  bool as_json = false;
  bool has_pairs = false;
};

struct GpuSummary {
  nlohmann::json list = nlohmann::json::array();
  bool holds = true;     // the model, and the plain sweep it is all judged by
  bool is_right = true;  // every case ran, and computed what the reference does
};

// Error{device} where there is no GPU. The table goes to stdout unless JSON is wanted; what it amounts
// to then to stderr.
GpuSummary run_gpu_bench(const std::vector<GpuCase>& cases, const GpuBenchOptions& options);

void print_ranking(std::FILE* to, const Ranking& ranking);
// Error{io} or Error{parse} where the file is not what bench/peers.py writes.
nlohmann::json read_peers(const std::string& path);
void merge_peers(nlohmann::json& list, const nlohmann::json& peers);

}  // namespace ridge::command
