#include "host_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include "ridge/driver/entry.h"
#include "ridge/linker/kernel_bench.h"
#include "ridge/ridge.h"

namespace ridge::command {
namespace {

constexpr int64_t kElements = 8, kParameters = 200;
// Short enough that some of them are not interrupted on a busy machine.
constexpr int kCalls = 200, kBatches = 20;
constexpr double kKernelSeconds = 1e-4;  // of each measurement of a kernel

struct Module {
  std::vector<Tensor> parameters;
  static void visit_tensors(auto& self, auto&& visit) { visit("parameters", self.parameters); }
};

Tensor random_row(uint64_t seed) {
  Generator generator(seed);
  return uniform({kElements}, generator, -2.0, 2.0);
}

// Of the quickest batch.
double seconds_of_call(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / kCalls);
  }
  return best;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

// The call and its kernels, in turn.
HostResult timed(const std::string& name, const driver::Entry& entry, std::vector<Tensor> inputs,
                 const std::function<void()>& call, int rounds) {
  const execute::CompiledProgram* program = entry.compiled->program();
  RIDGE_CHECK(program != nullptr, .code = ErrorCode::state, .op = name,
              .expected = "a build with LLVM", .given = "one without");
  const size_t input_count = inputs.size();
  const linker::KernelBench bench(entry.compiled->plan(), entry.compiled->graph(),
                                  std::move(inputs));
  std::vector<double> calls, kernels;
  for (int round = 0; round < rounds; ++round) {
    calls.push_back(seconds_of_call(call));
    double sum = 0;
    for (size_t i = 0; i < bench.kernel_count(); ++i) sum += bench.time(i, kKernelSeconds);
    kernels.push_back(sum);
  }
  const double median = quantile(calls, 0.5);
  return {.name = name,
          .call = median,
          .kernels = quantile(kernels, 0.5),
          .spread = (quantile(calls, 0.75) - quantile(calls, 0.25)) / (2 * median),
          .inputs = input_count};
}

HostResult four_tensors(const std::string& name, bool is_bound, int rounds) {
  const auto f = compile([](const Tensor& a, const Tensor& b, const Tensor& c,
                            const Tensor& d) { return a * b + c * d; },
                         {.name = name});
  const std::vector<Tensor> x{random_row(1), random_row(2), random_row(3), random_row(4)};
  const auto bound = f.bind(x[0], x[1], x[2], x[3]);
  const std::function<void()> by_bound = [&] { static_cast<void>(bound()); };
  const std::function<void()> by_call = [&] { static_cast<void>(f(x[0], x[1], x[2], x[3])); };
  return timed(name, *f.programs().back(), x, is_bound ? by_bound : by_call, rounds);
}

// Every parameter is used.
HostResult module_of_200(const std::string& name, int rounds) {
  const auto f = compile(
      [](const Module& module, const Tensor& x) {
        Tensor y = x;
        for (const Tensor& parameter : module.parameters) y = y + parameter;
        return y;
      },
      {.name = name});
  Module module;
  for (uint64_t i = 0; i < kParameters; ++i) module.parameters.push_back(random_row(i));
  const Tensor x = random_row(kParameters);
  f(module, x);
  std::vector<Tensor> inputs = module.parameters;
  inputs.push_back(x);
  return timed(
      name, *f.programs().back(), std::move(inputs), [&] { static_cast<void>(f(module, x)); },
      rounds);
}

}  // namespace

std::vector<std::string> host_case_names() {
  return {"host.compiled_call", "host.compiled_call_200", "host.bound_call"};
}

HostResult run_host_case(const std::string& name, int rounds) {
  if (name == "host.compiled_call_200") return module_of_200(name, rounds);
  return four_tensors(name, name == "host.bound_call", rounds);
}

nlohmann::json to_json(const HostResult& result) {
  return {{"case", result.name},
          {"device", "cpu"},
          {"ours_us", 1e6 * result.host()},
          {"floor_us", nullptr},
          {"fraction", nullptr},
          {"call_us", 1e6 * result.call},
          {"kernels_us", 1e6 * result.kernels},
          {"spread", result.spread},
          {"inputs", result.inputs},
          {"peers", nlohmann::json::object()}};
}

void print(const std::vector<HostResult>& results) {
  fmt::print("{:<44}{:>12}{:>12}{:>12}{:>8}\n", "case", "host us", "call us", "kernels us",
             "inputs");
  for (const HostResult& r : results) {
    fmt::print("{:<44}{:>12.3f}{:>12.3f}{:>12.3f}{:>8}\n", r.name, 1e6 * r.host(), 1e6 * r.call,
               1e6 * r.kernels, r.inputs);
  }
}

}  // namespace ridge::command
