// The operations the calculator knows, one record each.
//
//   const Operation& matmul = find_operation("matmul");
//   Query query{.sheet = &sheet, .sizes = parse_sizes("240x8192x8192", matmul.dimensions)};
//   Estimate estimate = matmul.estimate(query);
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ridge/cost/roofline/estimate.h"
#include "ridge/cost/roofline/query.h"

namespace ridge::cost {

struct Operation {
  std::string_view name;
  std::vector<Dimension> dimensions;  // empty: any shape
  std::string_view description;
  std::string_view example;               // arguments after `ridge roofline`
  std::vector<std::string_view> options;  // beyond --dtype, --device and --json
  Estimate (*estimate)(const Query& query);
};

std::span<const Operation> operations();
// Error{unknown_name} with the nearest names.
const Operation& find_operation(std::string_view name);

// The estimates, each in the file of its family.
Estimate estimate_matmul(const Query& query);           // matmul.cpp
Estimate estimate_bmm(const Query& query);              // matmul.cpp
Estimate estimate_batched_weights(const Query& query);  // matmul.cpp
Estimate estimate_convolution(const Query& query);      // convolution.cpp
Estimate estimate_dot(const Query& query);              // pointwise.cpp
Estimate estimate_pointwise(const Query& query);        // pointwise.cpp
Estimate estimate_reduce(const Query& query);           // pointwise.cpp
Estimate estimate_attention(const Query& query);        // attention.cpp
Estimate estimate_block(const Query& query);            // transformer.cpp
Estimate estimate_decode(const Query& query);           // transformer.cpp
Estimate estimate_sharded(const Query& query);          // sharded.cpp
Estimate estimate_all_gather(const Query& query);       // collective.cpp
Estimate estimate_reduce_scatter(const Query& query);   // collective.cpp
Estimate estimate_all_reduce(const Query& query);       // collective.cpp
Estimate estimate_all_to_all(const Query& query);       // collective.cpp

}  // namespace ridge::cost
