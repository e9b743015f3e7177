// Memory between two pages that nobody may touch.
//
//   Edge::end     | guard | canary ...... buffer | guard |     a byte too far faults
//   Edge::start   | guard | buffer ...... canary | guard |     a byte too early faults
//
// The other side of the buffer, up to the page's edge, holds a pattern that `is_intact` looks at.
// A buffer starts out as bytes 0xff: NaN, or -1, or a bool that is neither true nor false.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace ridge::fuzz {

enum class Edge { start, end };

class GuardedBlock {
 public:
  GuardedBlock(size_t bytes, Edge edge);
  ~GuardedBlock();
  GuardedBlock(GuardedBlock&& other) noexcept;
  GuardedBlock(const GuardedBlock&) = delete;
  GuardedBlock& operator=(const GuardedBlock&) = delete;
  GuardedBlock& operator=(GuardedBlock&&) = delete;

  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  bool is_intact() const;  // the pattern beside the buffer

 private:
  std::byte* pages_;  // the first one between the guards
  size_t page_bytes_;
  std::byte* data_;
  size_t bytes_;
};

// Runs generated code, which has nothing to clean up, and says what it ended with: empty, or the
// fault it made. Only faults of the calling thread are caught.
std::string run_catching_faults(const std::function<void()>& code);

}  // namespace ridge::fuzz
