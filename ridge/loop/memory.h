// The buffers of a kernel as the interpreter sees them: every access is checked against the size
// of its buffer and against the accesses before it (Note [Races] in interpreter.h), and counted.
//
//   memory.start(block);                      a task, GPU block or cluster of blocks begins
//   memory.load(b, lanes, index, dest);       dest[lane] = buffers[b][index[lane]], for these lanes
//   memory.order();                           a barrier: what follows comes after what was before
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ridge/loop/bytecode.h"
#include "ridge/loop/interpreter.h"

namespace ridge::loop {

// The words of a register, by lane.
struct Column {
  Word* words;
  uint32_t shift;
  Word& operator[](uint32_t lane) const { return words[lane >> shift]; }
};

int64_t element_count(const Buffer& buffer, std::span<const int64_t> sizes);
Word read_element(DType dtype, const std::byte* data, int64_t index);
void write_element(DType dtype, std::byte* data, int64_t index, Word word, expr::Type type);

class Memory {
 public:
  Memory(const Kernel& kernel, std::span<void* const> buffers, std::span<const int64_t> sizes,
         const Options& options, const Bytecode& program, Counts& counts);

  void start(int64_t block);
  void order() { ++epoch_; }
  // On a CPU lane 0 is this thread: an iteration of the vector loop, else 0.
  void set_first_thread(int64_t thread) { first_thread_ = thread; }
  // On a GPU the lanes of a thread race with each other from here to the end of a vector loop.
  void start_vector(uint32_t extent) {
    vector_run_ = ++vector_runs_;
    vector_extent_ = extent;
  }
  void end_vector() { vector_run_ = 0; }

  void load(int buffer, Lanes lanes, Column index, Column dest);
  void store(int buffer, Lanes lanes, Column index, Column value, expr::Type type);
  struct ElementRef {
    int buffer;
    Column index;
  };
  // A copy is in flight from here to the wait_copies of its thread that waits for its group.
  void async_copy(ElementRef to, ElementRef from, Lanes lanes);
  void wait_copies(Lanes lanes, int pending);
  // Elements from `first` on, to the start of each block's own buffer. The lanes are those of whole blocks.
  void bulk_copy(int buffer, int from, Lanes lanes, Column first, Column count);

 private:
  static constexpr int64_t kNone = -1;
  static constexpr int64_t kMany = -2;

  struct Touch {
    int64_t block = kNone;
    int64_t thread = kNone;
    int64_t epoch = kNone;
    int64_t vector_run = 0;  // 0: not in a vector loop of a GPU thread
    int64_t iteration = 0;   // of that loop
  };
  struct Region;
  struct Shadow {
    Touch write, read;
    bool is_in_flight = false;  // the destination of a copy that was not waited for
    int32_t pending_reads = 0;  // by copies in flight
  };
  struct CopyInFlight {
    Region *to, *from;
    int64_t index, from_index;
    uint32_t lane;
    int waits = 0;  // since it was issued
  };
  struct Region {
    const Buffer* buffer;
    std::byte* data;
    int64_t elements;
    int64_t element_bytes;
    Space space;
    int64_t sharing;             // threads that have it in common; 0: all
    std::vector<Shadow> shadow;  // empty: nothing to race with
    std::vector<std::byte> own;  // of a shared or local buffer
  };

  int64_t sharing(Space space) const;
  int64_t copies(const Region& region) const;
  bool is_in_range(const Region& region, int64_t index, bool is_load) const;
  // Where the element at `index` lies for this lane.
  int64_t place(const Region& region, int64_t index, uint32_t lane) const {
    if (region.sharing == 0) return index;
    return (lane >> thread_shift_) / region.sharing * region.elements + index;
  }
  void touch(Region& region, int64_t index, uint32_t lane, bool is_load);
  bool races(const Touch& before, const Touch& now) const;
  void report_race(const Region& region, int64_t index, const Touch& before, const Touch& now);
  void report_in_flight(const Region& region, int64_t index, const Touch& now);
  Touch touch_of(uint32_t lane) const;
  void copy_lane(Region& to, int64_t index, Region& from, int64_t from_index, uint32_t lane);
  void bulk_copy_block(int buffer, int from, uint32_t lane, int64_t first, int64_t count);
  static bool is_run(Lanes of_thread, Column index);
  void lose_lanes(Region& region, Lanes of_thread, Column index);
  std::string who(const Touch& touch, bool is_task_known) const;

  void count(size_t buffer, Lanes lanes, Column index, bool is_load);
  void count_warp(size_t buffer, Lanes warp, Column index, bool is_load);
  bool is_wide(Lanes warp, Column index) const;
  void count_group(size_t buffer, std::span<int64_t> indices, bool is_load);
  void add_conflicts(size_t buffer, std::span<const int64_t> distinct);

  const Kernel& kernel_;
  const Options& options_;
  bool is_gpu_;
  uint32_t thread_shift_;
  int64_t blocks_;         // of a cluster
  int64_t block_threads_;  // of each; on a CPU all iterations are of one
  Counts& counts_;
  std::vector<Region> regions_;
  int64_t block_ = 0;
  int64_t first_thread_ = 0;
  int64_t epoch_ = 0;
  int64_t vector_run_ = 0;
  uint32_t vector_extent_ = 1;
  std::vector<std::vector<CopyInFlight>> copies_in_flight_;  // by thread
  int64_t vector_runs_ = 0;                                  // so far
};

}  // namespace ridge::loop
