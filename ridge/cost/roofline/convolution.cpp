// Convolution of two-dimensional images as the matmul it is: a row for each output pixel, a column
// for each output channel, and a sum over input channels and the window.
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"

namespace ridge::cost {

namespace {

double output_side(double input, double window, const Query& query) {
  return std::floor((input + 2 * query.padding - window) / query.stride) + 1;
}

MatmulProblem convolution_at(const Query& query, const Sizes& s) {
  const double height = output_side(s["H"], s["R"], query);
  const double width = output_side(s["W"], s["S"], query);
  RIDGE_CHECK(
      height >= 1 && width >= 1, .code = ErrorCode::shape,
      .expected = "a window within the padded image",
      .given = concat(s.text("R"), "x", s.text("S"), " over ", s.text("H"), "x", s.text("W")));
  MatmulProblem problem = problem_of(query);
  problem.m = whole_product({s["N"], height, width}, "output pixels");
  problem.n = s["K"];
  problem.k = whole_product({s["C"], s["R"], s["S"]}, "window elements");
  // Windows overlap: the image is read once, not once for each place of the window.
  problem.x_elements = whole_product({s["N"], s["C"], s["H"], s["W"]}, "input elements");
  return problem;
}

// The rows of the matmul, by the names that sizes of a convolution have.
std::vector<Alignment> rows_of(const MatmulProblem& problem, double line) {
  std::vector<Alignment> rows = alignments_of(problem, line);
  for (Alignment& row : rows) row.dimension = row.dimension == "K" ? "C R S" : "K";
  return rows;
}

}  // namespace

Estimate estimate_convolution(const Query& query) {
  Rates rates(*query.sheet);
  const MatmulProblem here = convolution_at(query, query.sizes);
  const MatmulMachine machine = machine_for(rates, here, "convolution");
  const PartsOf parts = [&](const Sizes& sizes) {
    return std::vector{
        matmul_part("convolution", convolution_at(query, sizes), machine.math, machine.memory)};
  };
  const Sizes& s = query.sizes;
  Estimate estimate =
      frame_estimate(concat("convolution of [", s.text("N"), ",", s.text("C"), ",", s.text("H"),
                            ",", s.text("W"), "] with [", s.text("K"), ",", s.text("C"), ",",
                            s.text("R"), ",", s.text("S"), "], ", query.dtype.name),
                     query, rates, parts, {"N", "K", "C"});
  estimate.rates = rates_of(machine);
  add_tiling(estimate, tile_matmul(here, machine, query.tile));
  estimate.alignments = rows_of(here, machine.line);
  estimate.details = {{"matmul_m", here.m}, {"matmul_n", here.n}, {"matmul_k", here.k}};
  advise_launches(estimate, *query.sheet);
  sort_advice(estimate);
  return estimate;
}

}  // namespace ridge::cost
