#include <algorithm>
#include <numeric>

#include "ridge/base/text.h"
#include "ridge/linker/cuda_kernels.h"

namespace ridge::linker {
namespace {

using Sharing = std::vector<std::vector<size_t>>;

// Milliseconds, fitted to the kernels of `ridge bench gpu.compile.*` (NVRTC 13.0 on a Xeon of 2021,
// 2026-11-16). Only their ratios matter.
constexpr double kFrontEndOfText = 20, kFrontEndOfByte = 1e-3, kBackEndOfByte = 12e-3;
constexpr size_t kMostTexts = 64;  // that are tried

// The largest first, each to the program that would end first; those begun later begin behind.
Sharing spread(std::span<const size_t> largest_first, std::span<const size_t> bytes,
               size_t program_count) {
  Sharing programs(program_count);
  std::vector<double> ends(program_count);
  for (size_t i = 0; i < program_count; ++i) ends[i] = kFrontEndOfText * static_cast<double>(i);
  for (const size_t kernel : largest_first) {
    const auto place = std::ranges::min_element(ends) - ends.begin();
    programs[static_cast<size_t>(place)].push_back(kernel);
    ends[static_cast<size_t>(place)] += kBackEndOfByte * static_cast<double>(bytes[kernel]);
  }
  std::erase_if(programs, [](const auto& program) { return program.empty(); });
  return programs;
}

// When the last one is done.
double end_of(const Sharing& programs, std::span<const size_t> bytes, int threads) {
  std::vector<double> free_at(static_cast<size_t>(std::max(threads, 1)), 0.0);
  double front_end_free_at = 0;
  for (const auto& program : programs) {
    double size = 0;
    for (const size_t kernel : program) size += static_cast<double>(bytes[kernel]);
    const auto thread = std::ranges::min_element(free_at);
    front_end_free_at =
        std::max(*thread, front_end_free_at) + kFrontEndOfText + kFrontEndOfByte * size;
    *thread = front_end_free_at + kBackEndOfByte * size;
  }
  return std::ranges::max(free_at);
}

}  // namespace

Sharing programs_of(std::span<const size_t> text_bytes, int threads) {
  std::vector<size_t> order(text_bytes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) { return text_bytes[i]; });
  Sharing best;
  double best_end = 0;
  for (size_t count = 1; count <= std::min(text_bytes.size(), kMostTexts); ++count) {
    Sharing programs = spread(order, text_bytes, count);
    const double end = end_of(programs, text_bytes, threads);
    if (!best.empty() && end >= best_end) continue;
    best = std::move(programs);
    best_end = end;
  }
  return best;
}

std::string joined_text(std::span<const std::string_view> texts) {
  std::string joined;
  for (size_t i = 0; i < texts.size(); ++i) {
    joined +=
        concat("namespace kernel_", i, " {\n", texts[i], "}  // namespace kernel_", i, "\n\n");
  }
  return joined;
}

}  // namespace ridge::linker
