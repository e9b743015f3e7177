// Where kernels say that they found something wrong: words of host memory that they reach.
//
//   StatusWords words(device, count, explain);       // explain(i, status): word i as an Error
//   launch(..., words.data() + i);                   // the kernel stores there if it must
//   words.note_use(stream);
//   words.throw_if_set();                            // now, of the runs that have got that far
//
// Note [Late failures]. A kernel that finds an index out of range goes on without it and stores a
// number other than 0 here, across the bus; one that finds nothing wrong stores nothing. So nothing is
// copied or cleared, no run waits for its kernels, and the host runs ahead of the device also where a
// program has lookups. What was found is thrown by whoever looks first: the next run of the program,
// before it launches anything, or a wait for a stream, an event or the device, so that nobody reads
// results of a run that failed unless told. It is thrown once, and the device is well. Words outlive
// their owner until its last launches are known to be over, so a program that is gone reports too;
// destroying one whose failure nobody has seen yet also warns.
//
// Thread-safe. Waits that Ridge makes for itself (to trim a cache, to end a capture) do not look.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "ridge/base/error.h"
#include "ridge/core/device.h"

namespace ridge::runtime::cuda {

class StatusWords {
 public:
  // Refers to nothing that may go before the kernels are over.
  using Explain = std::function<Error(size_t word, int32_t status)>;
  struct Set {
    size_t word;
    int32_t status;
  };

  StatusWords(Device device, size_t count, Explain explain);
  ~StatusWords();
  StatusWords(const StatusWords&) = delete;
  StatusWords& operator=(const StatusWords&) = delete;

  int32_t* data() const;  // as the host and every device know it
  // Kernels that are given the words were queued there. What a user captures may run at any time
  // from then on, and the words stay for ever.
  void note_use(Stream stream) const;
  void note_capture() const;

  // The first word that is set; it is set no longer. Does not wait.
  std::optional<Set> take() const;
  void throw_if_set() const {
    if (const std::optional<Set> set = take()) [[unlikely]]
      throw_late(*set);
  }

  struct Block;

 private:
  [[noreturn]] void throw_late(const Set& set) const;

  std::shared_ptr<Block> block_;
};

// Throws what any kernel has left, of all programs; `idle` is where all that was queued is over.
void throw_late_failures();
void throw_late_failures(Stream idle);
void throw_late_failures(Device idle);
// The stream is idle and about to be destroyed. Throws nothing.
void forget_status_stream(Stream idle);

}  // namespace ridge::runtime::cuda
