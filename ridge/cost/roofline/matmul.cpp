// Matmuls: one, a batch of them, and a batch of vectors each with weights of its own.
#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"

namespace ridge::cost {

namespace {

std::string types_text(const MatmulProblem& problem) {
  std::string text(problem.x.name);
  if (!(problem.w == problem.x)) text += concat(" with ", problem.w.name, " weights");
  if (!(problem.output == problem.x)) text += concat(", output ", problem.output.name);
  return text;
}

using ProblemOf = MatmulProblem (*)(const Query& query, const Sizes& sizes);

// Everything but the shape is the same for the three.
Estimate estimate_problem(std::string_view what, const Query& query, const ProblemOf& problem_at,
                          std::string_view shape, const std::vector<std::string_view>& dimensions) {
  Rates rates(*query.sheet);
  const MatmulProblem problem = problem_at(query, query.sizes);
  const MatmulMachine machine = machine_for(rates, problem, what);
  const ElementType computed = compute_type(problem.x, problem.w);
  if (!(problem.x == problem.w)) {
    rates.notice(concat("computed in ", computed.name, ": the other operand is converted"));
  }
  const PartsOf parts = [&](const Sizes& sizes) {
    return std::vector{
        matmul_part(std::string(what), problem_at(query, sizes), machine.math, machine.memory)};
  };
  Estimate estimate = frame_estimate(concat(what, " ", shape, ", ", types_text(problem)), query,
                                     rates, parts, dimensions);
  estimate.rates = rates_of(machine);
  add_tiling(estimate, tile_matmul(problem, machine, query.tile));
  estimate.alignments = alignments_of(problem, machine.line);
  advise_matmul(estimate, problem, machine, *query.sheet);
  sort_advice(estimate);
  return estimate;
}

MatmulProblem matmul_at(const Query& query, const Sizes& sizes) {
  MatmulProblem problem = problem_of(query);
  problem.m = sizes["M"];
  problem.n = sizes["N"];
  problem.k = sizes["K"];
  return problem;
}

MatmulProblem bmm_at(const Query& query, const Sizes& sizes) {
  MatmulProblem problem = matmul_at(query, sizes);
  problem.batch = sizes["B"];
  return problem;
}

MatmulProblem batched_weights_at(const Query& query, const Sizes& sizes) {
  MatmulProblem problem = problem_of(query);
  problem.batch = sizes["B"];
  problem.m = 1;
  problem.n = sizes["F"];
  problem.k = sizes["D"];
  return problem;
}

}  // namespace

Estimate estimate_matmul(const Query& query) {
  const Sizes& s = query.sizes;
  const std::string shape =
      concat("X[", s.text("M"), ",", s.text("K"), "] W[", s.text("K"), ",", s.text("N"), "]");
  return estimate_problem("matmul", query, matmul_at, shape, {"M", "N", "K"});
}

Estimate estimate_bmm(const Query& query) {
  const Sizes& s = query.sizes;
  const std::string shape = concat("X[", s.text("B"), ",", s.text("M"), ",", s.text("K"), "] W[",
                                   s.text("B"), ",", s.text("K"), ",", s.text("N"), "]");
  return estimate_problem("bmm", query, bmm_at, shape, {"B", "M", "N", "K"});
}

Estimate estimate_batched_weights(const Query& query) {
  const Sizes& s = query.sizes;
  const std::string shape = concat("X[", s.text("B"), ",", s.text("D"), "] W[", s.text("B"), ",",
                                   s.text("D"), ",", s.text("F"), "]");
  return estimate_problem("batched-weights", query, batched_weights_at, shape, {"B", "D", "F"});
}

}  // namespace ridge::cost
