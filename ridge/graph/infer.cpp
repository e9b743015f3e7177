#include "ridge/graph/infer.h"

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/call.h"

namespace ridge::graph {

using dispatch::Arg;
using dispatch::ArgKind;
using dispatch::Key;

namespace {

// That shapes are asked of the meta backend is our affair: the user's tensors are elsewhere.
std::string without_meta(std::string text) {
  static constexpr std::string_view kOnMeta = " on meta";
  for (size_t at = text.find(kOnMeta); at != std::string::npos; at = text.find(kOnMeta, at)) {
    text.erase(at, kOnMeta.size());
  }
  return text;
}

}  // namespace

Tensor make_meta_tensor(const Value& value) {
  const Type& type = value.type;
  Tensor meta;
  if (value.strides) {
    const Size elements = extent(type.shape, *value.strides, 0);
    const Tensor memory = Tensor::empty({elements}, type.dtype, kMeta);
    meta =
        Tensor::view_of(Ref<Storage>(&memory.storage()), type.shape, *value.strides, 0, type.dtype);
  } else {
    meta = Tensor::empty(type.shape, type.dtype, kMeta);
  }
  meta.impl().is_weak = type.is_weak;
  return meta;
}

dispatch::Tensors call_on_meta(const dispatch::Operator& op, std::span<const Arg> args,
                               Location where) {
  std::vector<Arg> moved(args.begin(), args.end());
  for (Arg& arg : moved) {
    if (arg.kind == ArgKind::device) arg = Arg(kMeta);
  }
  const dispatch::ExcludeKeys plain(
      {Key::profile, Key::autocast, Key::trace, Key::autograd, Key::reference});
  dispatch::Tensors results(op.schema().results.size());
  dispatch::Frame frame{op, moved, results, where};
  const expr::GuardOrigin origin(where);
  try {
    dispatch::call(frame);
  } catch (const Error& error) {
    throw Error({.code = error.code(),
                 .op = error.op(),
                 .expected = without_meta(error.expected()),
                 .given = without_meta(error.given()),
                 .hint = error.hint(),
                 .where = error.where()});
  }
  return results;
}

Device result_device(const Graph& graph, const Node& node) {
  // As ops::common_device has it: 0-d CPU tensors go with any device.
  const Value* chosen = nullptr;
  bool is_free = true;
  for (const ValueId id : operands(node)) {
    const Value& value = graph[id];
    const bool is_device_agnostic = value.type.shape.empty() && value.type.device == kCpu;
    if (chosen == nullptr || (is_free && !is_device_agnostic)) {
      chosen = &value;
      is_free = is_device_agnostic;
      continue;
    }
    RIDGE_CHECK(is_device_agnostic || value.type.device == chosen->type.device,
                .code = ErrorCode::device, .op = node.op->name(),
                .expected = "operands on one device",
                .given = concat(to_text(chosen->type), " on ", to_text(chosen->type.device),
                                " and ", to_text(value.type), " on ", to_text(value.type.device)));
  }
  if (chosen != nullptr) return chosen->type.device;
  for (const Argument& arg : node.args) {
    if (const auto* device = std::get_if<Device>(&arg)) return *device;
  }
  return kCpu;
}

std::vector<Type> result_types(std::span<const Tensor> meta_tensors, Device device) {
  std::vector<Type> types;
  for (const Tensor& meta : meta_tensors) {
    types.push_back({meta.dtype(), meta.shape(), device, meta.is_weak()});
  }
  return types;
}

}  // namespace ridge::graph
