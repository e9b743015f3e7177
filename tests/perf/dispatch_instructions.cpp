// Calls an op that does nothing, so that callgrind can count what a call itself costs.
//
// Usage: ridge_dispatch_instructions unary|binary COUNT. The counted functions are measured_unary
// and measured_binary: from the call to its return, through autograd to the backend, with inputs
// that need no gradient. run_dispatch_instructions holds the bounds.
#include <cstdlib>
#include <iostream>
#include <string>

#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ridge.h"

namespace {

using namespace ridge;

const dispatch::Operator* unary_op = nullptr;
const dispatch::Operator* binary_op = nullptr;

const dispatch::Operator& register_no_op(const char* schema) {
  auto& table = dispatch::OperatorTable::instance();
  const dispatch::Operator& op =
      table.add(dispatch::parse_schema(schema), nullptr, Location::current());
  const auto kernel = dispatch::make_kernel(
      [](dispatch::Frame& frame, dispatch::KeySet) { frame.results[0] = *frame.args[0].tensor; });
  table.add_kernel(op.name(), dispatch::Key::cpu, kernel, "no-op of the count").keep();
  return op;
}

}  // namespace

extern "C" [[gnu::noinline]] void measured_unary(const Tensor& x, Tensor& result) {
  result = dispatch::call_one(*unary_op, Location::current(), x);
}

extern "C" [[gnu::noinline]] void measured_binary(const Tensor& x, const Tensor& y,
                                                  Tensor& result) {
  result = dispatch::call_one(*binary_op, Location::current(), x, y);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " unary|binary COUNT\n";
    return 2;
  }
  unary_op = &register_no_op("no_op_unary(Tensor x) -> Tensor");
  binary_op = &register_no_op("no_op_binary(Tensor x, Tensor y) -> Tensor");
  const bool is_unary = std::string(argv[1]) == "unary";
  const int count = std::atoi(argv[2]);
  const Tensor x = Tensor::of<float>({1, 2, 3}, {3});
  const Tensor y = Tensor::of<float>({4, 5, 6}, {3});
  for (int i = 0; i < count; ++i) {
    Tensor result;
    if (is_unary) {
      measured_unary(x, result);
    } else {
      measured_binary(x, y, result);
    }
    if (!result.is_same(x)) return 1;
  }
  return 0;
}
