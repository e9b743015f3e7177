// What some consecutive statements of a vector loop read and touch.
#pragma once

#include <functional>
#include <vector>

#include "ridge/codegen/cuda/statement.h"

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

// The loads that evaluating the expression does in any case, not only where a select chooses them.
std::vector<Expr> certain_loads(const Expr& e);

// The loads that happen only where selects choose them, by conditions that are the same in all lanes: with what must
// hold for any of a load's places in these statements. Not those that lanes choose by themselves somewhere.
struct ChosenLoad {
  Expr load, condition;
};
std::vector<ChosenLoad> chosen_loads(const Part& part,
                                     const std::function<bool(const Expr&)>& is_uniform);

// Only statements that can be written for all lanes at once, under a mask.
bool is_flat(const loop::Body& body);

}  // namespace ridge::codegen::cuda
