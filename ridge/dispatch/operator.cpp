#include "ridge/dispatch/operator.h"

#include "ridge/dispatch/call.h"

namespace ridge::dispatch {

namespace {

// What runs where nothing is registered: says what is missing.
void report_missing(const Kernel&, Frame& frame, KeySet keys) {
  check_arguments(frame.op.schema(), frame.args);
  RIDGE_CHECK(!keys.empty(), .code = ErrorCode::value, .op = frame.op.name(),
              .expected = "at least one tensor, or a device, among the arguments", .given = "none");
  throw Error({.code = ErrorCode::device,
               .op = frame.op.name(),
               .expected = "a device that has a kernel for this op",
               .given = "a call with keys " + to_text(keys)});
}

const Kernel& missing_kernel() {
  // Neither is ever destroyed: static destructors of the host may still call ops.
  static const Kernel& kernel = *new Kernel(report_missing);
  return kernel;
}

// Stands in the slot of a functionality nothing is registered for. The mask keeps calls away from
// it, except one that read the mask just before the last kernel was removed.
void skip(const Kernel&, Frame& frame, KeySet keys) {
  redispatch(frame, keys & KeySet::below(static_cast<Key>(keys.slot() - 1)));
}

const Kernel& skipping_kernel() {
  static const Kernel& kernel = *new Kernel(skip);
  return kernel;
}

const Registration* newest(std::span<const Registration> list, Key key) {
  for (size_t i = list.size(); i-- > 0;) {
    if (list[i].key == key) return &list[i];
  }
  return nullptr;
}

}  // namespace

Operator::Operator(Schema schema, const ops::OpRecord* record, Location where)
    : schema_(std::move(schema)), record_(record), where_(where) {
  refill({});
}

void Operator::refill(std::span<const Registration> fallbacks) {
  table_[0].store(&missing_kernel(), std::memory_order_release);
  uint64_t mask = 0;
  for (int bit = 0; bit < kKeyCount; ++bit) {
    const Key key = static_cast<Key>(bit);
    const size_t slot = static_cast<size_t>(KeySet(key).slot());
    const Registration* found = newest(registrations_, key);
    if (found == nullptr) found = newest(fallbacks, key);
    source_[slot] = found;
    if (found != nullptr || is_backend(key)) mask |= KeySet(key).word();
    const Kernel& otherwise = is_backend(key) ? missing_kernel() : skipping_kernel();
    table_[slot].store(found != nullptr ? found->kernel.get() : &otherwise,
                       std::memory_order_release);
  }
  mask_.store(mask, std::memory_order_release);
}

}  // namespace ridge::dispatch
