// The global buffers of a kernel with tiles: every access is checked against the size of its buffer and
// against those of other role instances and blocks.
//
//   globals.store(buffer, index, word, Type::real, {block, clock});
//   globals.unwritten()                    elements of `out` buffers that nobody wrote
//
// An element is written by one instance of one block. It is read by others only if it was ordered
// (Note [Vector clocks]); blocks are not ordered.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ridge/loop/interpreter.h"
#include "ridge/loop/memory.h"
#include "ridge/loop/tile_clock.h"

namespace ridge::loop {

class TileGlobals {
 public:
  struct Actor {
    int64_t block;
    const TileClock& clock;
  };

  TileGlobals(const Kernel& kernel, std::span<void* const> buffers, std::span<const int64_t> sizes,
              const Options& options, Counts& counts);

  // How the instances of a block are called.
  void set_names(std::vector<std::string> names) { names_ = std::move(names); }

  Word load(int buffer, int64_t index, const Actor& actor);
  void store(int buffer, int64_t index, Word word, expr::Type type, const Actor& actor);
  int64_t unwritten() const;

 private:
  struct Touch {
    int64_t block = -1;  // none yet
    int32_t instance = 0;
    int32_t time = 0;
  };
  struct Shadow {
    Touch write, read;
    bool has_many_readers = false;  // that are not ordered
  };
  struct Region {
    const Buffer* buffer;
    std::byte* data;
    int64_t elements, element_bytes;
    std::vector<Shadow> shadow;  // empty: only read
  };

  bool is_in_range(const Region& region, int64_t index, bool is_load) const;
  static bool is_ordered(const Touch& before, const Actor& actor);
  void report(const Region& region, int64_t index, const char* what, const Touch& before,
              const Actor& actor);
  std::string who(int64_t block, int instance) const;

  const Kernel& kernel_;
  const Options& options_;
  Counts& counts_;
  std::vector<std::string> names_;
  std::vector<Region> regions_;
};

}  // namespace ridge::loop
