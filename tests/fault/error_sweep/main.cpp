// The tests of tests/error, again and again, each time with another allocation that fails. A test may then
// fail, if what it says names the fault; but nothing leaks or ends the process, and without a fault all of
// them pass.
#include <gtest/gtest.h>

#include <cstdio>
#include <tuple>

#include "tests/fault/fault.h"

namespace ridge::fault {
namespace {

// Puts the fault in while a test runs, and looks at what it left.
class Watcher final : public ::testing::EmptyTestEventListener {
 public:
  int64_t number = 0;  // of the allocation to fail; 0 for none
  int64_t count = 0;   // of the test's allocations
  bool is_clear = true;

  void OnTestStart(const ::testing::TestInfo&) override {
    live_ = live_bytes();
    fault_ = number == 0 ? std::make_unique<Fault>(Request::allocation)
                         : std::make_unique<Fault>(Request::allocation, number);
  }
  void OnTestEnd(const ::testing::TestInfo& test) override {
    count = fault_->count();
    fault_.reset();
    std::string said;
    for (int i = 0; i < test.result()->total_part_count(); ++i) {
      said += test.result()->GetTestPartResult(i).message();
    }
    const bool names_fault = number > 0 && said.find(kNoMemory) != std::string::npos;
    const int64_t leaked = live_bytes() - live_;
    is_clear = (test.result()->Passed() || names_fault) && leaked == 0;
    if (is_clear) return;
    std::printf("%s.%s, allocation %ld: %ld bytes leaked\n%s\n", test.test_suite_name(),
                test.name(), static_cast<long>(number), static_cast<long>(leaked), said.c_str());
  }

 private:
  std::unique_ptr<Fault> fault_;
  int64_t live_ = 0;
};

// The exit code.
int sweep() {
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* watcher = new Watcher;
  listeners.Append(watcher);
  int64_t runs = 0, failures = 0;
  const auto run = [&](const std::string& test, int64_t number) {
    ::testing::GTEST_FLAG(filter) = test;
    watcher->number = number;
    std::ignore = RUN_ALL_TESTS();
    ++runs;
    failures += watcher->is_clear ? 0 : 1;
  };
  const auto& unit_test = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < unit_test.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *unit_test.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const std::string test = std::string(suite.name()) + "." + suite.GetTestInfo(k)->name();
      run(test, 0);  // what it compiles is kept, and so are constants
      run(test, 0);
      for (const int64_t number : numbers_to_fail(watcher->count)) run(test, number);
      run(test, 0);
    }
  }
  std::printf("%ld runs, %ld failures\n", static_cast<long>(runs), static_cast<long>(failures));
  return failures == 0 && runs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace ridge::fault

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return ridge::fault::sweep();
}
