#include "ridge/ops/call.h"

#include "ridge/ops/arithmetic.h"

namespace ridge::ops {

Call::Call(const Schema& schema, std::span<const Arg> args) : schema_(&schema), args_(args) {
  for (size_t i = 0; i < args.size(); ++i) {
    const ArgKind declared = schema.parameters[i].kind;
    if (declared == ArgKind::tensor) {
      operands_.push_back(args[i].kind == ArgKind::tensor ? args[i].tensor : nullptr);
    } else if (declared == ArgKind::tensors) {
      for (const Tensor& t : args[i].tensors()) operands_.push_back(&t);
    }
  }
}

const Arg& Call::argument(std::string_view parameter, ArgKind kind) const {
  const Arg& arg = args_[schema_->index_of(parameter)];
  if (arg.kind != kind) [[unlikely]] {
    dispatch::check_arguments(*schema_, args_);  // says it in the user's terms
    RIDGE_INTERNAL_CHECK(arg.kind == kind, "parameter " + std::string(parameter) + " of " +
                                               schema_->to_text() + " read as " +
                                               std::string(name(kind)));
  }
  return arg;
}

bool Call::has(std::string_view parameter) const {
  return args_[schema_->index_of(parameter)].kind != ArgKind::none;
}
const Tensor& Call::tensor(std::string_view parameter) const {
  return *argument(parameter, ArgKind::tensor).tensor;
}
std::span<const Tensor> Call::tensors(std::string_view parameter) const {
  return argument(parameter, ArgKind::tensors).tensors();
}
int64_t Call::integer(std::string_view parameter) const {
  return argument(parameter, ArgKind::integer).integer;
}
double Call::real(std::string_view parameter) const {
  return argument(parameter, ArgKind::real).real;
}
bool Call::flag(std::string_view parameter) const {
  return argument(parameter, ArgKind::flag).flag;
}
DType Call::dtype(std::string_view parameter) const {
  return argument(parameter, ArgKind::dtype).dtype;
}
Device Call::device(std::string_view parameter) const {
  return argument(parameter, ArgKind::device).device;
}
std::span<const int64_t> Call::ints(std::string_view parameter) const {
  return argument(parameter, ArgKind::ints).ints();
}
Shape Call::sizes(std::string_view parameter) const {
  const std::span<const Size> sizes = argument(parameter, ArgKind::sizes).sizes();
  return Shape(sizes.begin(), sizes.end());
}

const Tensor& Call::operand(size_t number) const {
  const Tensor* tensor = operands_[number];
  if (tensor == nullptr || !tensor->defined()) [[unlikely]] {
    dispatch::check_arguments(*schema_, args_);
    fail(ErrorCode::state, "a tensor as operand " + std::to_string(number),
         "an undefined or moved-from tensor");
  }
  return *tensor;
}

void Call::fail(ErrorCode code, std::string expected, std::string given) const {
  throw Error({.code = code,
               .op = schema_->name,
               .expected = std::move(expected),
               .given = std::move(given)});
}

Device common_device(const Call& call) {
  const Tensor* chosen = nullptr;
  bool is_free = true;  // may the device chosen so far give way?
  for (const Tensor* tensor : call.operands()) {
    if (tensor == nullptr || !tensor->defined()) continue;
    const bool is_device_agnostic = tensor->rank() == 0 && tensor->device() == kCpu;
    if (chosen == nullptr || (is_free && !is_device_agnostic)) {
      chosen = tensor;
      is_free = is_device_agnostic;
    } else if (!is_device_agnostic && tensor->device() != chosen->device()) {
      call.fail(ErrorCode::device, "operands on one device",
                describe(*chosen) + " on " + to_text(chosen->device()) + " and " +
                    describe(*tensor) + " on " + to_text(tensor->device()));
    }
  }
  if (chosen != nullptr) return chosen->device();
  for (const Arg& arg : call.args()) {
    if (arg.kind == ArgKind::device) return arg.device;
  }
  return kCpu;
}

CastArguments::CastArguments(std::span<const Arg> args, DType dtype, bool (*applies)(const Tensor&))
    : args_(args.begin(), args.end()) {
  const auto converted = [&](const Tensor& t) {
    return t.defined() && t.dtype() != dtype && applies(t) ? cast(t, dtype) : t;
  };
  for (Arg& arg : args_) {
    if (arg.kind == ArgKind::tensor) {
      casts_.push_back({converted(*arg.tensor)});
      arg = Arg(casts_.back()[0]);
    } else if (arg.kind == ArgKind::tensors) {
      Tensors list;
      for (const Tensor& t : arg.tensors()) list.push_back(converted(t));
      casts_.push_back(std::move(list));
      arg = Arg(casts_.back());
    }
  }
}

}  // namespace ridge::ops
