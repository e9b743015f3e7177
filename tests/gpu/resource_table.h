// The table of what the kernels of the golden set take of a multiprocessor:
// tests/golden/gpu/resources.txt.
//
//   # NVRTC 13000, sm_90a: graph and number of the kernel, threads, registers, bytes of shared memory
//   softmax_64.0                             128    19       0
//
// Numbers belong to the version of NVRTC that the first line names; with another one they are not
// compared. `ridge_gpu_tests --bless` writes it anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ridge::golden {

struct Resources {
  int64_t threads = 0;
  int64_t registers = 0;
  int64_t shared_bytes = 0;
  bool operator==(const Resources&) const = default;
};

struct ResourceTable {
  int nvrtc_version = 0;
  std::map<std::string, std::vector<Resources>> rows{};  // by graph, in the order of its kernels
};

std::string to_text(const std::vector<Resources>& kernels, const std::string& graph);

// An empty one if there is no such file.
ResourceTable read_table(const std::filesystem::path& path);
void write_table(const ResourceTable& table, const std::filesystem::path& path);

}  // namespace ridge::golden
