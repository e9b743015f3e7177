// Threads that cannot be started: fewer do the work, with the same result.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ridge/base/knobs.h"
#include "tests/fault/fault.h"

namespace ridge::fault {
namespace {

constexpr int kThreads = 4;
enum Outcome { kSame, kSameWithoutFault, kOther };

// Work for all threads, in a program of its own each time.
std::string result_of_rows(const Tensor& x) {
  return bytes_of(compile([](const Tensor& in) { return sum(exp(in) * 2, {1}); })(x));
}

// In a process of its own, whose workers are not started yet.
int outcome_without_thread(int64_t number, const Tensor& x, const std::string& expected) {
  const pid_t child = fork();
  if (child == 0) {
    const ScopedKnob threads(Knob::threads, kThreads);
    bool is_same = false, has_failed = false;
    {
      const Fault fault(Request::thread, number);
      is_same = result_of_rows(x) == expected;
      has_failed = fault.has_failed();
    }
    is_same = is_same && result_of_rows(x) == expected;
    _exit(!is_same ? kOther : has_failed ? kSame : kSameWithoutFault);
  }
  int status = 0;
  const bool has_ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
  return has_ended ? WEXITSTATUS(status) : -1;
}

TEST(FaultThread, EachWorkerInTurn) {
  const ScopedKnob one(Knob::threads, 1);  // so that none is started before the fork
  const Tensor x = reshape(arange(1 << 20, f32) / 1048576, {512, 2048});
  const std::string expected = result_of_rows(x);
  int64_t number = 1;
  int outcome = kSame;
  while (outcome == kSame) outcome = outcome_without_thread(number++, x, expected);
  EXPECT_EQ(outcome, kSameWithoutFault) << "thread " << number - 1;
  EXPECT_GE(number, kThreads) << "too few threads are started to see anything";
}

}  // namespace
}  // namespace ridge::fault
