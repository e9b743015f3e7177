// The process-wide table of operators, and registration.
//
// Everything is thread-safe. Operators are never removed, so a reference to one stays valid; a
// kernel registration ends with its handle unless it is `keep`t.
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/dispatch/operator.h"

namespace ridge::dispatch {

// Undoes a registration when it goes out of scope.
class RegistrationHandle {
 public:
  RegistrationHandle() = default;
  explicit RegistrationHandle(uint64_t id) : id_(id) {}
  RegistrationHandle(RegistrationHandle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  RegistrationHandle& operator=(RegistrationHandle&& other) noexcept;
  ~RegistrationHandle();
  void keep() { id_ = 0; }  // the registration lasts as long as the process

 private:
  uint64_t id_ = 0;
};

class OperatorTable {
 public:
  static OperatorTable& instance();

  // Error{value} if the name is taken, naming both places. `slot`, where given, is set before the
  // operator can be found.
  Operator& add(Schema schema, const ops::OpRecord* record, Location where,
                const Operator** slot = nullptr);
  Operator* find(std::string_view name) const;      // null if there is none
  const Operator& at(std::string_view name) const;  // Error{unknown_name} with the closest name
  std::vector<const Operator*> all() const;         // by name
  // One line for each key of an op: what runs there, who registered it and where.
  std::string table_text(const Operator& op) const;

  RegistrationHandle add_kernel(std::string_view op, Key key, std::shared_ptr<const Kernel> kernel,
                                std::string description, Location where = Location::current());
  // Serves every op that has no kernel of its own at `key`, present and future.
  RegistrationHandle add_fallback(Key key, std::shared_ptr<const Kernel> kernel,
                                  std::string description, Location where = Location::current());

 private:
  friend class RegistrationHandle;
  void remove(uint64_t id) noexcept;

  mutable std::shared_mutex mutex_;
  std::map<std::string, std::unique_ptr<Operator>, std::less<>> operators_;
  std::vector<Registration> fallbacks_;                 // newest last
  std::vector<std::shared_ptr<const Kernel>> retired_;  // fallbacks that were removed
  uint64_t next_id_ = 1;
};

}  // namespace ridge::dispatch
