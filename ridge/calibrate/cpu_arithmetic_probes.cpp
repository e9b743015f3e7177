#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/footprint.h"
#include "ridge/calibrate/probe_kernel.h"
#include "ridge/expr/function.h"

namespace ridge::calibrate {
namespace {

constexpr int64_t kRepeats = 2000;

// `width` values that do not wait for each other, each `count` steps long: $ in `step` is the value
// before it. One value is what a kernel of one expression has; several keep every port busy.
std::string chain(std::string_view step, int width, int count) {
  std::string body;
  int next = 0;
  std::vector<int> values;
  for (int i = 0; i < width; ++i) {
    values.push_back(next);
    body += concat("        let v", next++, ": f32 = x[i2] * ", 1 + 0.125 * i, "\n");
  }
  for (int i = 0; i < count * width; ++i) {
    int& value = values[static_cast<size_t>(i % width)];
    std::string line(step);
    line.replace(line.find('$'), 1, concat("v", value));
    value = next++;
    body += concat("        let v", value, ": f32 = ", line, "\n");
  }
  std::string sum;
  for (const int value : values) sum += concat(sum.empty() ? "" : " + ", "v", value);
  body += concat("        let v", next, ": f32 = ", sum, "\n");
  return concat(
      "kernel probe_chain(x: f32[n] in, out: f32[n * t] out; n, r, t) grain 1 {\n"
      "  for i0 in t @cpu_thread {\n"
      "    for i1 in r {\n"
      "      for i2 in n @vector {\n",
      body, "        out[n * i0 + i2] = v", next, "\n      }\n    }\n  }\n}\n");
}

struct Chain {
  Chain(const CpuShape& shape, std::string_view step, int width, int short_count, int long_count)
      : small(chain(step, width, short_count)),
        large(chain(step, width, long_count)),
        steps(width * (long_count - short_count)),
        x(ProbeMemory::of_random(kArithmeticElements)),
        out(ProbeMemory::of_random(static_cast<size_t>(arithmetic_floats(shape)))) {}

  // Steps a second: what the longer chain takes beyond the shorter one.
  double rate(int64_t tasks) const {
    const std::vector<void*> buffers{x.data(), out.data()};
    const double least = small.time(buffers, {kArithmeticElements, kRepeats, tasks});
    const double most = large.time(buffers, {kArithmeticElements, kRepeats, tasks});
    const double all = static_cast<double>(kArithmeticElements * kRepeats * tasks) * steps;
    return all / std::max(most - least, 1e-9);
  }

  ProbeKernel small, large;
  int steps;
  ProbeMemory x, out;
};

// Calls a second in a kernel that makes one call for each element it reads and writes, as most do:
// vectors of elements do not wait for each other.
struct Single {
  Single(const CpuShape& shape, std::string_view step)
      : kernel(chain(step, 1, 1)),
        x(ProbeMemory::of_random(kArithmeticElements)),
        out(ProbeMemory::of_random(static_cast<size_t>(arithmetic_floats(shape)))) {}

  double rate(int64_t tasks) const {
    const double seconds =
        kernel.time({x.data(), out.data()}, {kArithmeticElements, kRepeats, tasks});
    return static_cast<double>(kArithmeticElements * kRepeats * tasks) / seconds;
  }

  ProbeKernel kernel;
  ProbeMemory x, out;
};

// A function with its argument where it is usual; its name is that of expr::Function.
constexpr std::string_view kSteps[] = {
    "exp($ * 0.1) * 0.5",  "log($ + 1.0) * 0.5",   "sin($ * 0.5 + 0.5)",
    "cos($ * 0.5 + 0.5)",  "tanh($ * 0.5 + 0.5)",  "erf($ * 0.5 + 0.5)",
    "sqrt($ * 0.5 + 0.5)", "rsqrt($ * 0.5 + 0.5)", "pow($ * 0.5 + 0.5, 1.25)",
};
constexpr std::string_view kDivision = "1.5 / ($ * 0.5 + 0.5)";

// Each task is small enough for the caches, large enough for packing to be little.
constexpr std::string_view kProduct = R"(
kernel probe_product(x: f32[16384 * t] in, w: f32[65536] in, out: f32[16384 * t] out; t, g) grain g {
  for i0 in t @cpu_thread {
    contract v0: f32 over i1 in 64, i2 in 256, sum i3 in 256 of x[16384 * i0 + 256 * i1 + i3], w[256 * i3 + i2] {
      out[16384 * i0 + 256 * i1 + i2] = v0
    }
  }
}
)";
constexpr int64_t kProductElements = 64 * 256;  // of the task of an operand
constexpr int64_t kProductWeights = 256 * 256;
constexpr int64_t kProductOfOne = 4;  // tasks

struct ProductBench {
  explicit ProductBench(int64_t tasks)
      : x(ProbeMemory::of_random(static_cast<size_t>(kProductElements * tasks))),
        w(ProbeMemory::of_random(kProductWeights)),
        out(ProbeMemory::of_random(static_cast<size_t>(kProductElements * tasks))) {}

  double rate(int64_t tasks, int64_t grain) const {
    const double seconds = kernel.time_each({x.data(), w.data(), out.data()}, {tasks, grain}, 8);
    return 2.0 * 256 * static_cast<double>(kProductElements * tasks) / seconds;
  }

  ProbeKernel kernel{kProduct};
  ProbeMemory x, w, out;
};

void add_products(std::vector<Probe>& probes, const CpuShape& shape) {
  const int64_t tasks = product_tasks(shape);
  const auto bench = std::make_shared<ProductBench>(std::max(tasks, kProductOfOne));
  const cost::Unit unit = cost::Unit::flops_per_second;
  probes.push_back({"matrix.f32", unit, [=] { return bench->rate(tasks, 1); }});
  if (shape.threads > 1) {
    probes.push_back(
        {"matrix.f32.one", unit, [=] { return bench->rate(kProductOfOne, kProductOfOne); }});
  }
}

}  // namespace

void add_arithmetic_probes(std::vector<Probe>& probes, const CpuShape& shape) {
  const auto add = [&](const std::string& key, cost::Unit unit, double amount, const auto& timed) {
    probes.push_back({key, unit, [=] { return amount * timed->rate(shape.threads); }});
    if (shape.threads > 1) {
      probes.push_back({key + ".one", unit, [=] { return amount * timed->rate(1); }});
    }
  };
  add("vector.f32.fma", cost::Unit::flops_per_second, 2,
      std::make_shared<Chain>(shape, "fma($, 0.999, 0.001)", 8, 2, 6));
  add("vector.f32", cost::Unit::flops_per_second, 1,
      std::make_shared<Chain>(shape, "$ + 0.001", 8, 2, 6));
  const auto add_function = [&](std::string_view name, std::string_view step) {
    const std::string key = concat("function.", name);
    add(key, cost::Unit::ops_per_second, 1, std::make_shared<Single>(shape, step));
    add(key + ".peak", cost::Unit::ops_per_second, 1,
        std::make_shared<Chain>(shape, step, 4, 1, 3));
  };
  for (const std::string_view step : kSteps) add_function(step.substr(0, step.find('(')), step);
  add_function(expr::info(expr::Function::div).name, kDivision);
  add_products(probes, shape);
}

}  // namespace ridge::calibrate
