// What `ridge bench 'gpu.*'` times: programs as a user writes them, compiled for a GPU.
//
// Each case names the arrays that must be read and written, for the plain kernel it is judged by
// (ridge/calibrate/plain_sweep.h), and how its results are checked before it is timed.
#pragma once

#include "bench_cases.h"
#include "ridge/calibrate/cuda_timer.h"
#include "ridge/calibrate/plain_sweep.h"
#include "ridge/driver/entry.h"

namespace ridge::command {

// A case made ready on the device: it has run once.
struct ReadyCase {
  std::function<void()> run;
  std::shared_ptr<driver::Entry> entry{};
  Tensors inputs{}, outputs{};  // of that run, where the case has a plain list of them
};

// Where a case is no matter of memory: times of the host, or of launches.
struct HostTimes {
  double ours = 0, floor = 0;  // seconds; a floor of 0 where nothing bounds it from below
  std::string note{};          // what was timed, where its name does not say
};

struct GpuCase {
  std::string name{};  // gpu.<family>.<what>.<dtype>.<sizes>
  std::vector<BenchInput> inputs{};
  std::function<Tensors(const Tensors&)> function{};
  // Arrays that any program must read and write. Empty: the floor of the model, for products.
  calibrate::TouchedArrays arrays{};
  // Row i of each result with as many rows as the first input depends on row i of the inputs that
  // have as many, and on the others as a whole: rows of the timed run are checked.
  bool has_independent_rows = false;
  // Sizes at which all results are checked.
  std::vector<BenchInput> small{};
  bool fuses = true;

  // In place of `inputs` and `function`, for programs that write their arguments. It throws where a
  // small run is wrong.
  std::function<ReadyCase(Device)> make{};
  std::function<HostTimes(calibrate::CudaTimer&)> measure{};

  BenchCase as_bench_case() const { return {name, inputs, function}; }
};

const std::vector<GpuCase>& gpu_cases();

void add_gpu_pointwise_cases(std::vector<GpuCase>& cases);
void add_gpu_row_cases(std::vector<GpuCase>& cases);
void add_gpu_gradient_cases(std::vector<GpuCase>& cases);
void add_gpu_movement_cases(std::vector<GpuCase>& cases);
void add_gpu_product_cases(std::vector<GpuCase>& cases);
void add_gpu_training_cases(std::vector<GpuCase>& cases);
void add_gpu_overhead_cases(std::vector<GpuCase>& cases);
void add_gpu_compile_cases(std::vector<GpuCase>& cases);

// Parts of the lists of cases.
int64_t bytes_of(const BenchInput& input);
std::string gpu_case_name(const std::string& what, const BenchInput& input);

// Compiles the function for these arguments, which live as long as the case.
template <class F, class... Args>
ReadyCase ready_case(const std::string& name, F function, Args... args) {
  const auto compiled = compile(std::move(function), {.name = name});
  auto arguments = std::make_shared<std::tuple<Args...>>(std::move(args)...);
  auto run = [compiled, arguments] {
    std::apply([&](auto&... each) { static_cast<void>(compiled(each...)); }, *arguments);
  };
  run();
  return {.run = std::move(run), .entry = compiled.programs().back()};
}

}  // namespace ridge::command
