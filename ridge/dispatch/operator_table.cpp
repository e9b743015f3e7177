#include "ridge/dispatch/operator_table.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::dispatch {

RegistrationHandle& RegistrationHandle::operator=(RegistrationHandle&& other) noexcept {
  if (this != &other) {
    if (id_ != 0) OperatorTable::instance().remove(id_);
    id_ = std::exchange(other.id_, 0);
  }
  return *this;
}

RegistrationHandle::~RegistrationHandle() {
  if (id_ != 0) OperatorTable::instance().remove(id_);
}

OperatorTable& OperatorTable::instance() {
  // Never destroyed: tensors in static storage may still run ops while the process ends.
  static OperatorTable& table = *new OperatorTable;
  return table;
}

Operator& OperatorTable::add(Schema schema, const ops::OpRecord* record, Location where,
                             const Operator** slot) {
  const std::unique_lock lock(mutex_);
  const auto found = operators_.find(schema.name);
  if (found != operators_.end()) {
    const Location first = found->second->where();
    throw Error({.code = ErrorCode::value,
                 .op = schema.name,
                 .expected = "an op name that is not taken",
                 .given = "one registered at " + ridge::to_text(first),
                 .where = where});
  }
  std::string name = schema.name;
  auto op = std::make_unique<Operator>(std::move(schema), record, where);
  op->refill(fallbacks_);
  if (slot != nullptr) *slot = op.get();
  return *operators_.emplace(std::move(name), std::move(op)).first->second;
}

Operator* OperatorTable::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = operators_.find(name);
  return found == operators_.end() ? nullptr : found->second.get();
}

const Operator& OperatorTable::at(std::string_view name) const {
  if (const Operator* op = find(name)) return *op;
  std::vector<std::string> names;
  for (const Operator* op : all()) names.push_back(op->name());
  const auto closest = closest_name(name, names);
  throw Error(
      {.code = ErrorCode::unknown_name,
       .expected = "the name of an op",
       .given = "\"" + std::string(name) + "\"",
       .hint = closest ? "did you mean " + std::string(*closest) + "?" : "`ridge ops` lists them"});
}

std::vector<const Operator*> OperatorTable::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<const Operator*> list;
  for (const auto& [name, op] : operators_) list.push_back(op.get());
  return list;
}

std::string OperatorTable::table_text(const Operator& op) const {
  const std::shared_lock lock(mutex_);
  std::string text;
  for (int bit = kKeyCount - 1; bit >= 0; --bit) {
    const Key key = static_cast<Key>(bit);
    const Registration* source = op.source_[static_cast<size_t>(KeySet(key).slot())];
    if (source == nullptr && (is_backend(key) || dispatch::name(key) == "unused")) continue;
    std::string line(dispatch::name(key));
    line.resize(12, ' ');
    line += source == nullptr ? "fallthrough (nothing registered)"
                              : source->description + "  " + ridge::to_text(source->where);
    text += line + "\n";
  }
  return text;
}

RegistrationHandle OperatorTable::add_kernel(std::string_view op, Key key,
                                             std::shared_ptr<const Kernel> kernel,
                                             std::string description, Location where) {
  at(op);  // reports an unknown name before the lock is taken
  const std::unique_lock lock(mutex_);
  const uint64_t id = next_id_++;
  Operator& target = *operators_.find(op)->second;
  target.registrations_.push_back({key, std::move(kernel), std::move(description), where, id});
  target.refill(fallbacks_);
  return RegistrationHandle(id);
}

RegistrationHandle OperatorTable::add_fallback(Key key, std::shared_ptr<const Kernel> kernel,
                                               std::string description, Location where) {
  const std::unique_lock lock(mutex_);
  const uint64_t id = next_id_++;
  fallbacks_.push_back({key, std::move(kernel), std::move(description), where, id});
  for (auto& [name, op] : operators_) op->refill(fallbacks_);
  return RegistrationHandle(id);
}

void OperatorTable::remove(uint64_t id) noexcept {
  const auto has_id = [id](const Registration& r) { return r.id == id; };
  const std::unique_lock lock(mutex_);
  const auto fallback = std::find_if(fallbacks_.begin(), fallbacks_.end(), has_id);
  if (fallback != fallbacks_.end()) {
    retired_.push_back(fallback->kernel);
    fallbacks_.erase(fallback);
    for (auto& [name, op] : operators_) op->refill(fallbacks_);
    return;
  }
  for (auto& [name, op] : operators_) {
    auto& list = op->registrations_;
    const auto found = std::find_if(list.begin(), list.end(), has_id);
    if (found == list.end()) continue;
    op->retired_.push_back(found->kernel);
    list.erase(found);
    op->refill(fallbacks_);
    return;
  }
}

}  // namespace ridge::dispatch
