// What is known of a cubin before the driver is given it: whether it is whole, and what its kernels take.
//
// The driver takes a pointer without a size and reads offsets out of what it finds there: a file
// that was cut short would make it read past the end. So the tables of the ELF file are checked
// first; what they hold is the driver's to judge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::runtime::cuda {

// Why the bytes cannot be one, "3 bytes, too few for a header"; empty if they may be.
std::string cubin_problem(std::string_view bytes);

// What a kernel takes of a multiprocessor, as the assembler reports it.
//
//   ptxas info    : Compiling entry function 'k' for 'sm_90a'
//   ptxas info    : Function properties for k
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 24 registers, used 1 barriers, 4096 bytes smem
//
//   becomes {.kernel = "k", .registers = 24, .shared_bytes = 4096}
//
// With a device the driver knows the same (Kernel::attributes); without one this log is all.

struct ResourceUsage {
  std::string kernel;
  int64_t registers = 0;     // of a thread
  int64_t shared_bytes = 0;  // static, of a block
  int64_t stack_bytes = 0;   // of a thread; in local memory, so slow
  int64_t spill_store_bytes = 0;
  int64_t spill_load_bytes = 0;
  bool operator==(const ResourceUsage&) const = default;
};

std::string to_text(const ResourceUsage& usage);  // "k: 24 registers, 4096 bytes of shared memory"

// One entry for each kernel of the log; lines of another form are passed over.
std::vector<ResourceUsage> parse_ptxas_log(std::string_view log);

}  // namespace ridge::runtime::cuda
