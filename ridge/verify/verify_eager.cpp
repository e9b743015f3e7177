#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/verify/oracle.h"
#include "ridge/verify/repro.h"
#include "ridge/verify/verify_kernels.h"

namespace ridge::verify {
namespace {

// A graph of the call alone, on the CPU, and its inputs.
struct OneCall {
  graph::Graph graph{};
  std::vector<Tensor> inputs{};

  graph::ValueId add(const Tensor& tensor) {
    inputs.push_back(host_copy(tensor));
    return graph.add_input({tensor.dtype(), tensor.shape(), kCpu, tensor.is_weak()});
  }

  graph::Argument argument(const dispatch::Value& value) {
    return std::visit(
        [this]<class T>(const T& given) -> graph::Argument {
          if constexpr (std::is_same_v<T, Tensor>) {
            return given.defined() ? graph::Argument(add(given)) : graph::Argument();
          } else if constexpr (std::is_same_v<T, dispatch::Tensors>) {
            graph::ValueIds ids;
            for (const Tensor& tensor : given) ids.push_back(add(tensor));
            return ids;
          } else if constexpr (std::is_same_v<T, Device>) {
            return kCpu;
          } else {
            return given;
          }
        },
        value);
  }
};

}  // namespace

void check_eager(const dispatch::Frame& frame, const Tensor& result) {
  if (is_storage_only(result.dtype())) return;
  OneCall call;
  call.graph.name = frame.op.name();
  std::vector<graph::Argument> args;
  for (const dispatch::Arg& arg : frame.args) {
    args.push_back(call.argument(dispatch::to_value(arg)));
  }
  const graph::Type type{result.dtype(), result.shape()};
  const int32_t node = call.graph.add_node(frame.op, std::move(args), {type}, frame.where);
  call.graph.outputs = call.graph.nodes[static_cast<size_t>(node)].results;
  if (reference_points(call.graph) > kMostReferencePoints) return;
  const auto mismatch = Oracle(call.graph, call.inputs).judge(0, host_copy(result));
  if (!mismatch) return;
  graph::GraphOptions options{.name = std::string(frame.op.name())};
  for (const Tensor& input : call.inputs) {
    options.input_strides.push_back(input.is_contiguous() ? std::nullopt
                                                          : std::optional(input.strides()));
  }
  reproducing(call.graph, options, call.inputs, [&] {
    throw Error({.code = ErrorCode::internal,
                 .op = concat("kernel of ", frame.op.name()),
                 .expected = expected_text(*mismatch, result.shape()),
                 .given = concat(mismatch->ours),
                 .where = frame.where});
  });
}

}  // namespace ridge::verify
