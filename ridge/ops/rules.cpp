#include "ridge/ops/rules.h"

namespace ridge::ops {

bool accepts(Accept set, DType dtype) {
  const Accept kind = is_storage_only(dtype) ? Accept::storage
                      : is_boolean(dtype)    ? Accept::boolean
                      : is_integer(dtype)    ? Accept::integer
                                             : Accept::floating;
  return (static_cast<uint8_t>(set) & static_cast<uint8_t>(kind)) != 0;
}

std::string to_text(Accept set) {
  std::string text;
  const auto append = [&](Accept kind, const char* word) {
    if ((static_cast<uint8_t>(set) & static_cast<uint8_t>(kind)) == 0) return;
    text += (text.empty() ? "" : ", ") + std::string(word);
  };
  append(Accept::boolean, "bool");
  append(Accept::integer, "integer");
  append(Accept::floating, "floating");
  append(Accept::storage, "storage-only");
  return text;
}

namespace {

// bool < integer < floating: the kind decides which priority counts in promotion.
int category(DType dtype) { return is_floating(dtype) ? 2 : is_integer(dtype) ? 1 : 0; }

// A plain double stands for "some float": alone it is the default float.
DType number_dtype(const Tensor& number) {
  return is_floating(number.dtype()) ? kDefaultFloat : number.dtype();
}

// Promotion within one priority, and over it from the next higher one.
struct Priority {
  std::optional<DType> dtype;
  void add(DType other) { dtype = dtype ? promote(*dtype, other) : other; }
  void yield_to(const Priority& higher) {
    if (!higher.dtype) return;
    if (!dtype || category(*dtype) <= category(*higher.dtype)) dtype = higher.dtype;
  }
};

}  // namespace

DType promoted(std::span<const Tensor* const> operands) {
  Priority dimensioned;
  Priority zero_dim;
  Priority number;
  for (const Tensor* tensor : operands) {
    if (tensor == nullptr || !tensor->defined()) continue;
    if (tensor->is_weak()) {
      number.add(number_dtype(*tensor));
    } else {
      (tensor->rank() == 0 ? zero_dim : dimensioned).add(tensor->dtype());
    }
  }
  zero_dim.yield_to(dimensioned);
  number.yield_to(zero_dim);
  return number.dtype.value_or(kDefaultFloat);
}

Shape reduced_shape(const Shape& shape, std::span<const int64_t> dims, bool keepdim) {
  const Ints wrapped = wrap_dims(dims, static_cast<int64_t>(shape.size()));
  Shape result;
  size_t next = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool is_reduced = next < wrapped.size() && wrapped[next] == static_cast<int64_t>(i);
    if (is_reduced) ++next;
    if (!is_reduced) result.push_back(shape[i]);
    if (is_reduced && keepdim) result.push_back(1);
  }
  return result;
}

namespace rule {

namespace {

DType float_of(DType dtype) { return is_floating(dtype) ? dtype : kDefaultFloat; }

// Every operand converted to `dtype`.
DTypes uniform(const Call& call, DType dtype, DType result) {
  DTypes types;
  types.inputs.assign(call.operands().size(), dtype);
  types.outputs.push_back(result);
  return types;
}

// Every operand as it is.
DTypes as_given(const Call& call, DType result) {
  DTypes types;
  for (const Tensor* tensor : call.operands()) {
    types.inputs.push_back(tensor != nullptr && tensor->defined() ? tensor->dtype() : result);
  }
  types.outputs.push_back(result);
  return types;
}

}  // namespace

DTypeRule promote() {
  return {"promoted", {Accept::number}, [](const Call& call) {
            const DType dtype = promoted(call.operands());
            return uniform(call, dtype, dtype);
          }};
}

DTypeRule promote_numbers() {
  return {"promoted", {Accept::integer | Accept::floating}, promote().apply};
}

DTypeRule float_result() {
  return {"promoted, floating", {Accept::number}, [](const Call& call) {
            const DType dtype = float_of(promoted(call.operands()));
            return uniform(call, dtype, dtype);
          }};
}

DTypeRule float_only() { return {"promoted", {Accept::floating}, promote().apply}; }

DTypeRule compare() {
  return {"bool", {Accept::number}, [](const Call& call) {
            return uniform(call, promoted(call.operands()), boolean);
          }};
}

DTypeRule logical() {
  return {"bool", {Accept::number}, [](const Call& call) { return as_given(call, boolean); }};
}

DTypeRule choose() {
  return {"promoted", {Accept::boolean, Accept::number}, [](const Call& call) {
            const DType dtype = promoted(call.operands().subspan(1));
            DTypes types = uniform(call, dtype, dtype);
            types.inputs[0] = boolean;
            return types;
          }};
}

DTypeRule same() {
  return {"as given", {Accept::any}, [](const Call& call) {
            return as_given(call, call.operand(0).dtype());
          }};
}

DTypeRule same_float() { return {"as operand 0", {Accept::floating}, same().apply}; }

DTypeRule accumulate() {
  return {"i64 for bool and integers", {Accept::number}, [](const Call& call) {
            const DType dtype = call.operand(0).dtype();
            return as_given(call, is_floating(dtype) ? dtype : i64);
          }};
}

DTypeRule position() {
  return {"i64", {Accept::number}, [](const Call& call) { return as_given(call, i64); }};
}

DTypeRule indexed() {
  return {"as given", {Accept::any, Accept::integer, Accept::any}, same().apply};
}

DTypeRule given(const std::string& parameter) {
  return {"as asked", {Accept::number}, [parameter](const Call& call) {
            return as_given(call, call.dtype(parameter));
          }};
}

DTypeRule like(size_t operand) {
  return {"as operand " + std::to_string(operand), {Accept::number}, [operand](const Call& call) {
            const DType dtype = call.operand(operand).dtype();
            return uniform(call, dtype, dtype);
          }};
}

std::vector<Shape> broadcast(const Call& call) {
  Shape shape;
  for (const Tensor* tensor : call.operands()) {
    if (tensor != nullptr && tensor->defined()) shape = ridge::broadcast(shape, tensor->shape());
  }
  return {shape};
}

std::vector<Shape> same_as_input(const Call& call) { return {call.shape(0)}; }

std::vector<Shape> reduce(const Call& call) {
  return {reduced_shape(call.shape(0), call.ints("dims"), call.flag("keepdim"))};
}

ShapeRule sizes(const std::string& parameter) {
  return [parameter](const Call& call) { return std::vector<Shape>{call.sizes(parameter)}; };
}

}  // namespace rule

}  // namespace ridge::ops
