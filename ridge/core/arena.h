// One block of memory shared by values that do not live at the same time.
//
// take() returns the offset of the smallest free piece that fits, or grows the arena; pieces given
// back join their free neighbors. Offsets are multiples of kAlignment. The order of calls alone
// decides, so a plan is the same on every run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace ridge {

// What a buffer of a program is: an argument, a tensor that the program has, a result, or memory of one run.
enum class BufferKind : uint8_t { input, constant, output, temporary };

class Arena {
 public:
  static constexpr int64_t kAlignment = 64;

  int64_t take(int64_t bytes);
  void give_back(int64_t offset, int64_t bytes);  // as it was taken
  int64_t peak() const { return end_; }

 private:
  void add(int64_t offset, int64_t bytes);
  void drop(std::map<int64_t, int64_t>::iterator piece);

  std::map<int64_t, int64_t> free_;                  // offset -> bytes
  std::set<std::pair<int64_t, int64_t>> by_size_{};  // the same as bytes, offset
  int64_t end_ = 0;
};

// Who shares an arena when: what is left of lifetimes when sizes are yet to come. Laying it out again
// for other sizes takes microseconds, and never makes two that live at a time overlap.
struct ArenaPlan {
  struct Step {
    int buffer;
    bool takes;  // or gives back
  };
  std::vector<Step> steps{};
  std::vector<std::vector<int>> scratch{};  // each list behind all of that, in the same place
};

struct ArenaLayout {
  std::vector<int64_t> offsets;  // by buffer; -1 for one outside of the arena
  int64_t bytes = 0;
};

// `bytes` by buffer.
ArenaLayout lay_out(const ArenaPlan& plan, std::span<const int64_t> bytes);

}  // namespace ridge
