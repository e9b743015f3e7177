#include "ridge/dispatch/call.h"
#include "ridge/ops/record.h"

namespace ridge::ops {

namespace {

Tensor to_meta(const Tensor& t) {
  return t.is_weak() ? t : Tensor::empty(t.shape(), t.dtype(), kMeta);
}

void move_to_meta(std::vector<Value>& args) {
  for (Value& value : args) {
    if (auto* tensor = std::get_if<Tensor>(&value); tensor != nullptr && tensor->defined()) {
      *tensor = to_meta(*tensor);
    } else if (auto* list = std::get_if<Tensors>(&value)) {
      for (Tensor& t : *list) t = to_meta(t);
    } else if (std::holds_alternative<Device>(value)) {
      value = kMeta;
    }
  }
}

// Do all samples get through?
bool accepts_by_trial(const OpRecord& record, DType dtype) {
  const Schema& schema = record.op->schema();
  SampleMaker maker(schema, dtype, 0);
  record.samples(maker);
  for (SampleCall& call : maker.take()) {
    move_to_meta(call.args);
    try {
      dispatch::call_values(*record.op, dispatch::borrow(call.args));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::dtype) throw;
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<DType> accepted_dtypes(const OpRecord& record) {
  std::vector<DType> dtypes;
  for (const DType dtype : complete_dtypes()) {
    const bool is_accepted = !record.samples || accepts_by_trial(record, dtype);
    if (is_accepted) dtypes.push_back(dtype);
  }
  return dtypes;
}

}  // namespace ridge::ops
