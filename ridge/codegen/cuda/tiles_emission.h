// The state of writing a kernel over mapped tiles, and the statements that write it.
//
//   consume stages {                    {
//     dot async sum += lhs * rhs          const unsigned slot = stages % 4;
//     wait_dot 0 sum             ->       ridge::mbarrier_wait(&stages_full[slot], stages / 4 % 2);
//   }                                     ... wgmma over lhs + 16384 * slot, ...
//                                         if (ridge::is_elected()) ridge::mbarrier_arrive(&stages_empty[slot]);
//                                         ++stages;
//                                       }
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/tiles_elements.h"
#include "ridge/codegen/cuda/tiles_plan.h"

namespace ridge::codegen::cuda {

struct TileEmission {
  TilesPlan plan;
  ThreadAxes axes;
  std::vector<int> buffers;  // by tile, as in TileElements

  // As text. Of a tile: the array of its registers, or the shared address of its first slot; of a ring: how many of its
  // slots the role has passed.
  std::vector<std::string> tiles, rings, views;
  std::vector<std::string> ring_slots;   // by ring: the slot at hand, inside of produce and consume
  std::vector<std::string> full, empty;  // by ring: mbarriers
  std::vector<bool> may_hold;            // by ring: at this point of the text
  std::vector<std::string>
      held;  // by ring: consumed slots not given back yet; empty: there are none
  std::vector<std::string>
      tile_slots;  // by tile outside of rings with several slots: the last that was written
  std::vector<std::string>
      is_set;  // by tile: whether a product has written it; empty: they add to it always
  std::string instance,
      thread;  // of the role being written: its number, and a thread's place in it
  const RolePlan* role = nullptr;
  int expected_copies = 0;  // inside of a `produce` that one lane runs: 1
  int consume_depth = 0;
  std::map<std::string, std::string> products;  // wgmma functions, by name
};

// Each kind of statement over tiles that is left behind tiles_elements.h.
void write_tile_statement(Emission& emission, const loop::FillTile& fill);
void write_tile_statement(Emission& emission, const loop::Dot& dot);
void write_tile_statement(Emission& emission, const loop::WaitDot& wait);
void write_tile_statement(Emission& emission, const loop::TileLoop& loop);
void write_tile_statement(Emission& emission, const loop::Produce& produce);
void write_tile_statement(Emission& emission, const loop::Consume& consume);
void write_tile_statement(Emission& emission, const loop::SkipSlots& skip);
void write_tile_statement(Emission& emission, const loop::CopyTile& copy);
void write_tile_statement(Emission& emission, const loop::WaitStores& wait);
void write_tile_statement(Emission& emission, const loop::MoveTile& move);
void write_tile_statement(Emission& emission, const loop::NamedBarrier& barrier);
template <class Kind>
void write_tile_statement(Emission& emission, const Kind&) {
  RIDGE_INTERNAL_CHECK(false, concat(emission.symbol, ": tiles_elements.h has left an element"));
}

// Gives slots back that `lag` has held.
void give_back_held(Emission& emission, int ring);
// At the start of a loop: what the end of its body holds, its start may.
void may_hold_slots(Emission& emission);

// Parts of their text.

// `{`, and where it ends `}`. Names of the block are free again behind it.
class TileBlock {
 public:
  TileBlock(Emission& emission, std::string_view head)
      : emission_(emission), names_(emission.names) {
    emission_.out.line(head, "{");
    indent_.emplace(emission_.out);
  }
  TileBlock(const TileBlock&) = delete;
  TileBlock& operator=(const TileBlock&) = delete;
  ~TileBlock() {
    indent_.reset();
    emission_.out.line("}");
    emission_.names = std::move(names_);
  }

 private:
  Emission& emission_;
  Names names_;
  std::optional<TextWriter::Indent> indent_;
};

// The shared address of the slot of a tile at hand.
std::string slot_address(Emission& emission, int tile);
// `ridge::tile_offset<128>(64, line, byte)`; plain: before the swizzle, as hardware takes it.
std::string offset_text(Emission& emission, int tile, const std::string& line,
                        const std::string& byte, bool is_plain);
// An expression over axes and sizes, as an int.
std::string int_text(Emission& emission, const Expr& e);
// `e + `, in front of another term; nothing where it is 0.
std::string first_term(Emission& emission, const Expr& e);
// The expression or 0, simplified.
Expr simplified(const Expr& e);
const loop::Tile& tile_of(const Emission& emission, int tile);
const TilePlacement& shared_of(const Emission& emission, int tile);
// `if (...)` of the lane that asks for copies of the role.
std::string elected_text(Emission& emission);

CudaKernel write_tile_kernel(const loop::Kernel& kernel, const CudaTarget& target);

}  // namespace ridge::codegen::cuda
