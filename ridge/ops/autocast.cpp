#include "ridge/ops/autocast.h"

#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/call.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/dispatch_layers.h"

namespace ridge {

AutocastScope::AutocastScope(DType dtype, Location where)
    : include_(dispatch::Key::autocast), saved_(dispatch::thread_state().autocast_dtype) {
  RIDGE_CHECK(dtype == bf16 || dtype == f16, .code = ErrorCode::dtype, .op = "AutocastScope",
              .expected = "bf16 or f16", .given = std::string(name(dtype)), .where = where);
  dispatch::thread_state().autocast_dtype = dtype;
}

AutocastScope::~AutocastScope() { dispatch::thread_state().autocast_dtype = saved_; }

}  // namespace ridge

namespace ridge::ops {

namespace {

using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

bool is_castable(const Tensor& t) {
  // f64 is somebody's deliberate choice, and plain numbers give way by themselves.
  return is_floating(t.dtype()) && t.dtype() != f64 && !t.is_weak() && !is_storage_only(t.dtype());
}

DType widest(const Call& call) {
  DType dtype = f16;
  bool is_first = true;
  for (const Tensor* tensor : call.operands()) {
    if (tensor == nullptr || !tensor->defined() || !is_castable(*tensor)) continue;
    dtype = is_first ? tensor->dtype() : promote(dtype, tensor->dtype());
    is_first = false;
  }
  return dtype;
}

void run_autocast(Frame& frame, KeySet keys) {
  // Below here nothing is cast again: an op's decomposition runs as its record says.
  const dispatch::ExcludeKeys below(Key::autocast);
  const KeySet rest = keys & KeySet::below(Key::autocast);
  const OpRecord* record = frame.op.record();
  const bool keeps = record == nullptr || record->autocast == Autocast::keep ||
                     is_in_place(frame.op);  // what is written to decides its own dtype
  if (keeps) return dispatch::redispatch(frame, rest);

  const Call call(frame.op.schema(), frame.args);
  const DType dtype = record->autocast == Autocast::low    ? dispatch::thread_state().autocast_dtype
                      : record->autocast == Autocast::full ? f32
                                                           : widest(call);
  const CastArguments cast(frame.args, dtype, is_castable);
  Frame cast_frame{frame.op, cast.args(), frame.results, frame.where};
  dispatch::redispatch(cast_frame, rest);
}

}  // namespace

void install_autocast() {
  auto& table = dispatch::OperatorTable::instance();
  table.add_fallback(Key::autocast, dispatch::make_kernel(run_autocast), "autocast").keep();
}

}  // namespace ridge::ops
