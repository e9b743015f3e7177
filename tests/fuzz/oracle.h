// What a graph computes, in double, and how far from it a right answer may be.
//
// Each node is evaluated on f64 by the reference backend, and then a few times more with every
// operand moved at random by about one rounding of its dtype. How far those runs scatter is how far
// rounding can move the result: cancellation, long sums and ill-conditioned functions widen it, and
// nothing else does. So no bound has to be guessed for each op, and a wrong answer stands out.
//
//   y = x - x * 1.001f    operands scatter by 1e-7 x, so y is judged to about 1e-6 x, not 1e-6 y
//
// Values that are exact (inputs, what is merely moved, sums of short binary fractions) do not scatter.
// Where rounding could turn a decision (a comparison, a floor, a position of a maximum), some runs take
// the other outcome; what depends on it then scatters so far that it is not judged at all.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {

// The right value of one output.
struct Expected {
  DType dtype = f32;
  Shape shape{};
  std::vector<double> values{};      // row-major
  std::vector<double> tolerances{};  // infinite where an element is not judged
};

struct Expectation {
  std::vector<Expected> outputs;
  std::vector<Expected> inputs;  // as they are afterwards
};

// Thrown for a case with numbers that its dtypes cannot hold: whether those become infinite depends
// on where a program rounds, so there is no right answer.
struct NotJudgeable {};

// All copies of a value have the same bits in one run: a comparison that operands of the same value
// lead to, through calls that keep bits, is decided by that value alone (equal_copies.cpp).
Expectation expect(const Case& given);

struct JudgedCounts {
  int64_t elements = 0;
  int64_t not_judged = 0;
};

// Empty, or the first element that is wrong.
std::string compare(const Expected& expected, const Tensor& actual, JudgedCounts& counts);

}  // namespace ridge::fuzz
