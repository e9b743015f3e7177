// Cases of `ridge bench 'host.*'`: what a compiled call that finds its program costs the host.
//
//   host.compiled_call        4 tensors
//   host.compiled_call_200    a module of 200 parameters, and a tensor
//   host.bound_call           the 4 tensors, bound (driver/bound.h)
//
// The programs compute next to nothing. Their kernels are timed alone and taken off; allocating and
// releasing the result counts. There is no floor: it has none but zero.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ridge::command {

struct HostResult {
  std::string name;
  double call = 0;     // seconds: the median of rounds, of each its quickest batch
  double kernels = 0;  // seconds of the call in its kernels
  double spread = 0;   // relative: half the distance of the quartiles
  size_t inputs = 0;   // tensors among the arguments

  double host() const { return call - kernels; }
};

std::vector<std::string> host_case_names();
HostResult run_host_case(const std::string& name, int rounds);

nlohmann::json to_json(const HostResult& result);
void print(const std::vector<HostResult>& results);

}  // namespace ridge::command
