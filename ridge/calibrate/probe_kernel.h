// Kernels of probes: loop IR as text, built for this machine by the code generator that builds
// everything else, so that a ceiling is one that generated code can reach.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ridge/runtime/cpu/loader.h"

namespace ridge::calibrate {

// Memory of floats or indices, aligned to pages.
class ProbeMemory {
 public:
  explicit ProbeMemory(size_t bytes);
  static ProbeMemory of_random(size_t floats);  // in [0.5, 1.5)
  // Starts of lines, as i64: those of each task in a range of its own, shuffled there.
  static ProbeMemory of_lines(size_t tasks, size_t lines, size_t floats_per_line);

  void* data() const { return memory_.get(); }

 private:
  std::shared_ptr<void> memory_;
};

class ProbeKernel {
 public:
  explicit ProbeKernel(std::string_view text);
  // Seconds of one launch; buffers and sizes as the kernel lists them.
  double time(const std::vector<void*>& buffers, const std::vector<int64_t>& sizes) const;
  // Seconds of one launch of `count` in a row.
  double time_each(const std::vector<void*>& buffers, const std::vector<int64_t>& sizes,
                   int count) const;

 private:
  double time_once(const std::vector<void*>& buffers, const std::vector<int64_t>& sizes,
                   int count) const;

  std::shared_ptr<runtime::LoadedKernel> code_;
};

}  // namespace ridge::calibrate
