// What some consecutive statements of a vector loop read and touch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

using Part = std::vector<const loop::Statement*>;

// How often they, and the statements inside of them, mention each value.
std::vector<int> reads_of(const loop::Body& body, size_t values);
std::vector<int> reads_of(const Part& part, size_t values);

// By value: whether it is only stored, into elements of the dtype that it is rounded to, which rounds
// it once more.
std::vector<bool> rounded_by_stores(const loop::Kernel& kernel);

// Whether the first `count` of them store to memory that may be that of the buffer.
bool stores_before(const Emission& emission, const Part& part, size_t count, int buffer);
// Whether those behind number `at` load from such memory or store to it.
bool touches_after(const Emission& emission, const Part& part, size_t at, int buffer);

// Can the lanes of the loop being written run them one by one? They must not use arrays over lanes, which are registers
// and have no addresses.
bool can_run_lane_by_lane(const Emission& emission, const Part& part);

// The loads of an expression that no select predicates.
std::vector<Expr> certain_loads(const Expr& e);

// Loads that only one side of a select needs, where its condition is the same in all lanes. `condition` holds if any
// use of the load in these statements needs it. A load whose condition differs by lane in some use is left out.
struct PredicatedLoad {
  Expr load, condition;
};
std::vector<PredicatedLoad> predicated_loads(const Part& part,
                                             const std::function<bool(const Expr&)>& is_uniform);

// Only statements that can be written for all lanes at once, under a mask.
bool is_flat(const loop::Body& body);

// One part of a vector loop as text: wide loads, one unrolled loop over the lanes, wide stores.
//
// Iterations do not touch each other's elements (loop.h), so neither lane by lane nor all loads first changes what they
// see; only within one iteration order counts. A load behind a store that may be to the same memory, and a store in
// front of what may touch it again, stay where they are, each lane for itself.

// The mask names a word with a bit for each active lane; empty: all are active.
void write_unrolled_part(Emission& emission, const Part& part, const std::string& mask = "");

// Lanes that take both the sine and the cosine of what they loaded.
//
// The lanes are written twice: with the short argument reduction (scalar_function.h) if the arguments of all lanes are
// small, and with the full one otherwise. A branch in each lane would need more live registers.
//
//   if (ridge::are_small(x_lanes)) {
//     for (int i3 ...) { .. }
//   } else {
//     for (int i3 ...) { .. }
//   }

// Calls `write_lanes`, which writes the loop over the lanes of the part: once where it has no such arguments among its
// wide loads. All lanes take part.
void write_by_angles(Emission& emission, const Part& part,
                     const std::function<void()>& write_lanes);

}  // namespace ridge::codegen::cuda
