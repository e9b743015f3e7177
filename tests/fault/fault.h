// Requests of Ridge to the system that fail on purpose: the n-th allocation of a tensor's memory, the n-th
// thread to start, the n-th operation that changes a file.
//
//   Fault fault(Request::allocation, 3);          // the third from now on fails, all others succeed
//   EXPECT_THROW(step(model), Error);
//   fault.has_failed()                            // were there three?
//
// Faults are put in from outside, at the allocator that tensors use and at the functions of the C library
// (system_calls.cpp), so the library needs no code for them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/core/visit_tensors.h"
#include "ridge/ridge.h"
#include "tests/fault/request.h"

namespace ridge::fault {

// One at a time. Without a number nothing fails, and requests are counted.
class Fault {
 public:
  explicit Fault(Request request, int64_t number = std::numeric_limits<int64_t>::max());
  ~Fault();
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  int64_t count() const;  // of requests so far
  bool has_failed() const { return count() >= number_; }

 private:
  int64_t number_;
};

// How many requests the call makes.
template <class Call>
int64_t requests_in(Request request, const Call& call) {
  const Fault none(request);
  call();
  return none.count();
}

// Which of `count` requests to let fail: each of the first 200, then 200 others by chance.
std::vector<int64_t> numbers_to_fail(int64_t count);

// Bytes of tensors on the CPU that are not returned, whoever holds them.
int64_t live_bytes();

// What allocation errors put in say; the user must be told the cause.
inline constexpr const char* kNoMemory = "the one that is to fail";

// The bytes of all tensors of a struct, and how often each was written.
template <class T>
std::string bytes_of(const T& value) {
  std::string bytes;
  for_each_tensor(value, [&](const std::string&, const Tensor& tensor) {
    if (!tensor.defined()) return;
    const Tensor dense = contiguous(detach(tensor));
    bytes.append(static_cast<const char*>(dense.raw_data()), dense.storage().bytes());
  });
  return bytes;
}

template <class T>
std::vector<uint32_t> versions_of(const T& value) {
  std::vector<uint32_t> versions;
  for_each_tensor(value, [&](const std::string&, const Tensor& tensor) {
    versions.push_back(tensor.defined() ? tensor.version() : 0);
  });
  return versions;
}

}  // namespace ridge::fault
