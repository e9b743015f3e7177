// The peak that a plan says a training step needs, beside what the allocator saw it take: without a
// budget, and midway between that and the smallest budget that can be met.
//
//   ridge_peak_memory                     4 layers of 256, 4 sequences of 256 tokens, on the CPU in f32
//   ridge_peak_memory --device cuda       GPT-2 of 12 layers of 768, 8 sequences of 1024, in bf16
//
// They must agree to 2 %. Both are of what a step needs beside its arguments: the model, the state of its
// optimizer and the data. Several steps are run, because a GPU runs a program as a graph after some.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "gpt_step.h"
#include "ridge/base/random.h"
#include "ridge/driver/entry.h"

namespace {

using namespace ridge;
using command::Gpt;

constexpr double kMostOff = 0.02;

struct Setting {
  Device device;
  command::GptSizes sizes;
  int64_t batch;
  bool is_narrow;  // bf16 by autocast
  int steps;       // the first of them compiles
};

Setting setting_of(bool is_on_gpu) {
  if (is_on_gpu) return {Device{DeviceKind::cuda, 0}, {.vocabulary = 50304}, 8, true, 8};
  const command::GptSizes sizes{
      .layers = 4, .width = 256, .heads = 4, .vocabulary = 1000, .tokens = 256};
  return {kCpu, sizes, 4, false, 3};
}

Tensor step_in_f32(Gpt& model, nn::AdamW<Gpt>& optimizer, const Tensor& in, const Tensor& out) {
  return command::gpt_step(model, optimizer, in, out);
}

Tensor step_in_bf16(Gpt& model, nn::AdamW<Gpt>& optimizer, const Tensor& in, const Tensor& out) {
  const AutocastScope autocast(bf16);
  return command::gpt_step(model, optimizer, in, out);
}

Tensor random_tokens(const Setting& setting, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<int64_t> tokens(static_cast<size_t>(setting.batch * setting.sizes.tokens));
  const auto words = static_cast<uint64_t>(setting.sizes.vocabulary);
  for (int64_t& token : tokens) token = static_cast<int64_t>(random.next() % words);
  return to_device(Tensor::of<int64_t>(tokens, {setting.batch, setting.sizes.tokens}),
                   setting.device);
}

struct Measured {
  int64_t simulated = 0, allocated = 0;  // bytes
  int64_t smallest = 0;                  // budget; asked for where there is none
  double predicted_ms = 0, step_ms = 0;  // the median of those after the first two
  double last_loss = 0;
};

void wait_for(const Setting& setting) {
  DeviceRuntime& runtime = device_runtime(setting.device.kind);
  runtime.synchronize(runtime.current_stream(setting.device));
}

Measured measure(const Setting& setting, int64_t budget) {
  Generator generator(1, 0, setting.device);  // much faster on a GPU than by a reference
  Gpt model = nn::on_device(Gpt(setting.sizes, generator), setting.device);
  nn::AdamW<Gpt> optimizer(model);
  const Tensor in = random_tokens(setting, 2), out = random_tokens(setting, 3);
  const auto step = compile(setting.is_narrow ? step_in_bf16 : step_in_f32,
                            {.name = "gpt", .memory_budget = budget});
  Allocator& allocator = allocator_for(setting.device);
  wait_for(setting);
  const int64_t before = allocator.stats().live_bytes;
  Measured result;
  std::vector<double> times;
  for (int i = 0; i < setting.steps; ++i) {
    // The first compiles, and what is loaded then is there before a step begins.
    if (i == 1) allocator.reset_peak();
    const auto start = std::chrono::steady_clock::now();
    const Tensor loss = step(model, optimizer, in, out);
    wait_for(setting);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (i >= 2) times.push_back(took.count());
    if (i + 1 == setting.steps) result.last_loss = to_device(loss, kCpu).item<float>();
  }
  std::ranges::sort(times);
  result.step_ms = times[times.size() / 2];
  result.allocated = allocator.stats().peak_live_bytes - before;
  const recompute::MemoryPoint& point = step.programs().back()->compiled->recomputed()->point;
  result.simulated = point.peak_bytes;
  result.predicted_ms = point.predicted_us / 1000;
  if (budget == 0) result.smallest = smallest_memory_budget(step);
  return result;
}

bool report(const char* what, const Measured& one) {
  const double off = static_cast<double>(one.simulated) / static_cast<double>(one.allocated) - 1;
  const bool is_close = off <= kMostOff && off >= -kMostOff;
  std::printf(
      "%-16s simulated %12lld  allocated %12lld  %+6.2f %%  step %8.2f ms, predicted %8.2f  "
      "loss %.5f%s\n",
      what, static_cast<long long>(one.simulated), static_cast<long long>(one.allocated), 100 * off,
      one.step_ms, one.predicted_ms, one.last_loss, is_close ? "" : "  off by more than 2 %");
  std::fflush(stdout);
  return is_close;
}

}  // namespace

int main(int count, char** words) {
  const bool is_on_gpu =
      count == 3 && std::string(words[1]) == "--device" && std::string(words[2]) == "cuda";
  if (count > 1 && !is_on_gpu) {
    std::fprintf(stderr, "usage: ridge_peak_memory [--device cuda]\n");
    return 2;
  }
  try {
    const Setting setting = setting_of(is_on_gpu);
    const Measured usual = measure(setting, 0);
    const bool is_usual_close = report("default", usual);
    std::printf("%-16s %lld\n", "smallest budget", static_cast<long long>(usual.smallest));
    const int64_t middle = (usual.simulated + usual.smallest) / 2;
    const Measured halfway = measure(setting, middle);
    const bool is_halfway_close = report("midway", halfway);
    const bool fits = halfway.simulated <= middle;
    if (!fits) std::printf("the budget of %lld is not met\n", static_cast<long long>(middle));
    return is_usual_close && is_halfway_close && fits ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
