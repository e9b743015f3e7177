#include "ridge/base/ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <type_traits>
#include <vector>

namespace ridge::ref_test {
namespace {

struct Probe : RefCounted {
  explicit Probe(int* living_count) : living(living_count) { ++*living; }
  ~Probe() override { --*living; }
  int* living;
};
struct DerivedProbe : Probe {
  using Probe::Probe;
};

static_assert(sizeof(Ref<Probe>) == sizeof(void*));
static_assert(std::is_nothrow_move_constructible_v<Ref<Probe>>);
static_assert(!std::is_convertible_v<Ref<Probe>, Ref<DerivedProbe>>);
static_assert(!std::is_copy_constructible_v<Probe>);

TEST(Ref, LastOwnerDeletes) {
  int living = 0;
  {
    Ref<Probe> a = make_ref<Probe>(&living);
    EXPECT_EQ(a->use_count(), 1u);
    {
      const Ref<Probe> b = a;
      EXPECT_EQ(a->use_count(), 2u);
      EXPECT_EQ(a, b);
    }
    EXPECT_EQ(a->use_count(), 1u);
    EXPECT_EQ(living, 1);
  }
  EXPECT_EQ(living, 0);
}

TEST(Ref, MovesWithoutCounting) {
  int living = 0;
  Ref<Probe> a = make_ref<Probe>(&living);
  Ref<Probe> b = std::move(a);
  EXPECT_TRUE(a == nullptr);
  EXPECT_FALSE(a);
  EXPECT_EQ(b->use_count(), 1u);
  a = std::move(b);
  EXPECT_EQ(a->use_count(), 1u);
}

TEST(Ref, SurvivesAssignmentToItself) {
  int living = 0;
  Ref<Probe> a = make_ref<Probe>(&living);
  Ref<Probe>& alias = a;
  a = alias;
  EXPECT_EQ(a->use_count(), 1u);
  a = std::move(alias);
  EXPECT_EQ(a->use_count(), 1u);
  EXPECT_EQ(living, 1);
}

TEST(Ref, AssignmentDropsTheOldObject) {
  int living = 0;
  Ref<Probe> a = make_ref<Probe>(&living);
  a = make_ref<Probe>(&living);
  EXPECT_EQ(living, 1);
  a = nullptr;
  EXPECT_EQ(living, 0);
}

TEST(Ref, ConvertsFromDerivedAndToConst) {
  int living = 0;
  {
    Ref<DerivedProbe> derived = make_ref<DerivedProbe>(&living);
    Ref<Probe> base = derived;
    EXPECT_EQ(base->use_count(), 2u);
    EXPECT_TRUE(base == derived);
    const Ref<const Probe> constant = std::move(derived);
    EXPECT_EQ(base->use_count(), 2u);
    EXPECT_FALSE(derived);
    EXPECT_EQ(constant->living, &living);
  }
  EXPECT_EQ(living, 0);
}

TEST(Ref, ReleaseAndAdoptPassOwnershipThroughAPointer) {
  int living = 0;
  Ref<Probe> a = make_ref<Probe>(&living);
  Probe* raw = a.release();
  EXPECT_FALSE(a);
  EXPECT_EQ(raw->use_count(), 1u);
  {
    const Ref<Probe> shared(raw);
    EXPECT_EQ(raw->use_count(), 2u);
  }
  Ref<Probe>::adopt(raw).reset();
  EXPECT_EQ(living, 0);
}

// The destructor of an old value may reach the Ref that held it: it must find the new value.
struct Watcher : RefCounted {
  ~Watcher() override {
    if (slot != nullptr) *seen = slot->get();
  }
  Ref<Watcher>* slot = nullptr;
  Watcher** seen = nullptr;
};

TEST(Ref, DropsTheOldObjectLast) {
  Watcher* seen = nullptr;
  Ref<Watcher> slot = make_ref<Watcher>();
  slot->slot = &slot;
  slot->seen = &seen;
  const Ref<Watcher> next = make_ref<Watcher>();
  slot = next;
  EXPECT_EQ(seen, next.get());
}

TEST(Ref, IsSharedByThreads) {
  int living = 0;
  {
    Ref<Probe> shared = make_ref<Probe>(&living);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([mine = shared] {
        for (int i = 0; i < 10000; ++i) Ref<Probe> copy = mine;
      });
    }
    shared.reset();  // the last thread deletes
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(living, 0);
}

}  // namespace
}  // namespace ridge::ref_test
