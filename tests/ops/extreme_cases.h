// Cases at the ends of what an op can be given: NaN, infinities, zeros of both signs, subnormal and
// largest numbers, and sizes of 0.
//
// They are made of the record's own samples, so every op has them. A pointwise op gets every
// combination of such numbers; any other op one kind of them at a time, among its usual numbers.
#pragma once

#include "cases.h"

namespace ridge::testing {

inline constexpr size_t kFirstExtreme = 1000;  // OpCase::index of the first one

std::vector<OpCase> extreme_cases_of(const ops::OpRecord& record, DType dtype);
// cases_of, then these.
std::vector<OpCase> all_cases_of(const ops::OpRecord& record, DType dtype);

}  // namespace ridge::testing
