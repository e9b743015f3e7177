#include "ridge/dispatch/operator.h"

#include "ridge/dispatch/call.h"

namespace ridge::dispatch {

namespace {

// What runs where nothing is registered: says what is missing.
void report_missing(const Kernel&, Frame& frame, KeySet keys) {
  check_arguments(frame.op.schema(), frame.args);
  std::string given = "no tensor and no device among the arguments";
  if (!keys.empty()) given = "a call with keys " + to_text(keys);
  throw Error({.code = ErrorCode::device,
               .op = frame.op.name(),
               .expected = "a device that has a kernel for this op",
               .given = given});
}

const Kernel& missing_kernel() {
  static const Kernel kernel(report_missing);
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
    const bool has_kernel = found != nullptr && found->kernel != nullptr;
    if (has_kernel || is_backend(key)) mask |= KeySet(key).word();
    table_[slot].store(has_kernel ? found->kernel.get() : &missing_kernel(),
                       std::memory_order_release);
  }
  mask_.store(mask, std::memory_order_release);
}

}  // namespace ridge::dispatch
