// Operations that touch each number a few times: dot, pointwise chains, reductions.
#include <charconv>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/function_count.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"

namespace ridge::cost {

namespace {

Estimate estimate_pass(std::string operation, const Query& query, Rates& rates, const Rate& math,
                       double flops, double bytes) {
  const Rate memory = rates.memory(operation);
  const PartsOf parts = [&](const Sizes&) {
    return std::vector{Part{.name = operation,
                            .flops = flops,
                            .bytes = bytes,
                            .network_bytes = 0,
                            .math_s = flops / math.per_second,
                            .memory_s = bytes / memory.per_second,
                            .network_s = 0}};
  };
  // Work and traffic grow together: the regime does not change with any size.
  Estimate estimate = frame_estimate(operation, query, rates, parts, {});
  estimate.rates = {to_text(math), to_text(memory)};
  return estimate;
}

// Functions of one real number that take more than an instruction.
expr::Function function_of(const std::string& name) {
  std::vector<std::string_view> names;
  for (int i = 0; i < expr::kFunctionCount; ++i) {
    const auto function = static_cast<expr::Function>(i);
    if (!is_special(function) || expr::info(function).arity != 1) continue;
    if (expr::info(function).name == name) return function;
    names.push_back(expr::info(function).name);
  }
  throw_error({.code = ErrorCode::unknown_name,
               .expected = "a function out of " + join(names, ", "),
               .given = concat("`", name, "`"),
               .hint = did_you_mean(name, names)});
}

Rate rate_of(const Query& query, Rates& rates) {
  if (query.function.empty()) return rates.vector(query.dtype, query.is_fma, "pointwise");
  RIDGE_CHECK(!query.is_fma, .code = ErrorCode::value,
              .expected = "an operation that is an FMA or a function",
              .given = concat("--fma and --function ", query.function));
  return rates.special(function_of(query.function), query.dtype, "pointwise");
}

// The product of the sizes a reduction keeps.
double kept_elements(const Query& query) {
  if (query.axis == "all") return 1;  // matches: the word of the command line
  const int rank = static_cast<int>(query.sizes.all().size());
  int axis = 0;
  const char* end = query.axis.data() + query.axis.size();
  const auto result = std::from_chars(query.axis.data(), end, axis);
  if (axis < 0) axis += rank;
  RIDGE_CHECK(result.ec == std::errc() && result.ptr == end && axis >= 0 && axis < rank,
              .code = ErrorCode::index,
              .expected = concat("an axis of ", rank, " dimensions, or `all`"),
              .given = concat("`", query.axis, "`"));
  double kept = 1;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) kept *= query.sizes.all()[static_cast<size_t>(i)].value;
  }
  return kept;
}

}  // namespace

Estimate estimate_dot(const Query& query) {
  const double numbers = query.sizes["N"];
  Rates rates(*query.sheet);
  const Rate math = rates.vector(compute_type(query.dtype, query.weight_type()), true, "dot");
  const double inputs = query.dtype.bytes + query.weight_type().bytes;
  const double bytes = whole_product({numbers, inputs}, "bytes") + query.output_type().bytes;
  Estimate estimate =
      estimate_pass(concat("dot of ", whole_text(numbers), ", ", query.dtype.name), query, rates,
                    math, whole_product({2, numbers}, "flops"), bytes);
  advise_launches(estimate, *query.sheet);
  sort_advice(estimate);
  return estimate;
}

Estimate estimate_pointwise(const Query& query) {
  const double numbers = query.sizes.product("elements");
  const ElementType output = query.output.value_or(query.dtype);
  const double flops_each = query.repeat * (query.is_fma ? 2 : 1);
  const double bytes_each = query.inputs * query.dtype.bytes + output.bytes;
  Rates rates(*query.sheet);
  const Rate math = rate_of(query, rates);
  const std::string operation = concat("pointwise ", query.sizes.shape_text(), " ", query.function,
                                       query.function.empty() ? "" : " ", whole_text(query.repeat),
                                       " times, ", query.dtype.name, query.is_fma ? ", FMA" : "");
  Estimate estimate =
      estimate_pass(operation, query, rates, math, whole_product({numbers, flops_each}, "flops"),
                    whole_product({numbers, bytes_each}, "bytes"));
  if (math.is_special()) estimate.t_special_s = estimate.t_math_s;
  const double knee = bytes_each * math.per_second / rates.memory("pointwise").per_second;
  estimate.details = {{"bytes_per_number", bytes_each},
                      {"flops_per_number", flops_each},
                      {"knee_flops_per_number", knee},
                      {"knee_repeat", knee / (query.is_fma ? 2 : 1)}};
  if (estimate.regime == Regime::memory) {
    const double kept = numbers * query.dtype.bytes / rates.memory("").per_second;
    estimate.advice.push_back({"fuse with the kernel that writes its input", 2 * kept});
  }
  advise_launches(estimate, *query.sheet);
  sort_advice(estimate);
  return estimate;
}

Estimate estimate_reduce(const Query& query) {
  const double numbers = query.sizes.product("elements");
  const double kept = kept_elements(query);
  const ElementType output = query.output.value_or(query.dtype);
  Rates rates(*query.sheet);
  const Rate math = rates.vector(query.dtype, false, "reduce");
  const double bytes = whole_product({numbers, query.dtype.bytes}, "bytes") + kept * output.bytes;
  Estimate estimate = estimate_pass(concat("reduce ", query.sizes.shape_text(), " over axis ",
                                           query.axis, ", ", query.dtype.name),
                                    query, rates, math, numbers - kept, bytes);
  if (estimate.regime == Regime::memory) {
    const double read = numbers * query.dtype.bytes / rates.memory("").per_second;
    estimate.advice.push_back({"fuse with the kernel that writes its input", 2 * read});
  }
  advise_launches(estimate, *query.sheet);
  sort_advice(estimate);
  return estimate;
}

}  // namespace ridge::cost
