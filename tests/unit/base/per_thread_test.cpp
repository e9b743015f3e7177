#include "ridge/base/per_thread.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>

namespace ridge::per_thread_test {
namespace {

struct Counted {
  static inline int destroyed = 0;
  int value = 0;
  ~Counted() { ++destroyed; }
};

TEST(PerThread, IsOneObjectOfEachThreadAndPurpose) {
  Counted& mine = per_thread<Counted>();
  mine.value = 3;
  EXPECT_EQ(&per_thread<Counted>(), &mine);
  EXPECT_NE(&(per_thread<Counted, struct OtherPurpose>()), &mine);
  std::thread([&] {
    EXPECT_NE(&per_thread<Counted>(), &mine);
    EXPECT_EQ(per_thread<Counted>().value, 0);
  }).join();
  EXPECT_EQ(Counted::destroyed, 1);
  EXPECT_EQ(mine.value, 3);
}

using Names = std::map<int, std::string>;

// Runs after the thread's own objects are gone.
struct AtTheEnd {
  ~AtTheEnd() {
    Names& names = per_thread<Names>();
    if (!names.empty()) std::abort();
    names[1] = "late";
    if (per_thread<Names>().at(1) != "late") std::abort();
  }
};

TEST(PerThread, IsThereAgainAfterItWasDestroyed) {
  std::thread([] {
    thread_local AtTheEnd at_the_end;  // made first, so destroyed last
    static_cast<void>(&at_the_end);
    per_thread<Names>()[2] = "usual";
  }).join();
}

}  // namespace
}  // namespace ridge::per_thread_test
