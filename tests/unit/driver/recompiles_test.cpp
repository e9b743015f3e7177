// explain_recompiles(): each miss with its guard, both values and the user's line; bounded caches.
#include "ridge/driver/recompiles.h"

#include <gtest/gtest.h>

#include <mutex>

#include "ridge/ridge.h"

namespace ridge::recompiles_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

const auto kTwice = [](const Tensor& x, int64_t n) { return x * n; };

TEST(Recompiles, NameTheGuardBothValuesAndTheUsersLine) {
  const auto line = Location::current().line() + 1;
  const auto f = compile(kTwice, {.name = "twice", .argument_names = {"x", "n"}});
  EXPECT_TRUE(explain_recompiles(f).records.empty());
  f(numbers({3, 4}), int64_t{2});
  EXPECT_TRUE(explain_recompiles(f).records.empty()) << "the first one is no recompile";
  f(numbers({3, 4}, 2), int64_t{2});
  f(numbers({5, 4}), int64_t{2});
  f(numbers({5, 4}), int64_t{3});
  f(cast(numbers({5, 4}), f64), int64_t{3});
  const Recompiles all = explain_recompiles(f);
  ASSERT_EQ(all.records.size(), 3u);
  EXPECT_EQ(all.records[0].guard, "size 0");
  EXPECT_EQ(all.records[0].argument, "x");
  EXPECT_EQ(all.records[0].before, "3");
  EXPECT_EQ(all.records[0].now, "5");
  EXPECT_EQ(all.records[0].where.line(), line);
  EXPECT_NE(std::string(all.records[0].where.file_name()).find("recompiles_test"),
            std::string::npos);
  EXPECT_EQ(all.records[1].guard, "value");
  EXPECT_EQ(all.records[1].argument, "n");
  EXPECT_EQ(all.records[2].guard, "dtype");
  EXPECT_EQ(all.counters.hits, 1);
  EXPECT_EQ(all.counters.misses, 4);
  const std::string text = to_text(all);
  for (const char* part : {"twice (", "recompiles_test.cpp:", "4 programs, 1 hits, 4 misses",
                           "x: f32[3, 4] before, f32[5, 4] now", "size 0 was 3, is 5",
                           "n: 2 before, 3 now", "dtype was f32, is f64"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(Recompiles, AreLogged) {
  std::mutex mutex;
  std::string logged;
  const LogCallback before =
      set_log_callback([&](LogLevel, std::string_view topic, std::string_view message) {
        const std::lock_guard lock(mutex);
        if (topic == "guards") logged += message;
      });
  const auto f = compile(kTwice, {.name = "twice", .argument_names = {"x", "n"}});
  f(numbers({3}), int64_t{2});
  EXPECT_EQ(logged, "");
  f(numbers({4}), int64_t{2});
  set_log_callback(before);
  for (const char* part : {"twice", "recompiles_test.cpp:", "x: f32[3] before, f32[4] now",
                           "size 0", "was 3", "is 4"}) {
    EXPECT_NE(logged.find(part), std::string::npos) << part << " in\n" << logged;
  }
}

// A listener may use the function it hears of.
TEST(Recompiles, AListenerMayCallTheFunction) {
  const auto f = compile(kTwice, {.name = "twice"});
  const Tensor x = numbers({3}), y = numbers({4}, 2), inner = numbers({5}, 3);
  f(x, int64_t{2});
  bool is_inside = false;
  std::vector<float> heard;
  const LogCallback before =
      set_log_callback([&](LogLevel, std::string_view topic, std::string_view) {
        if (topic != "guards" || is_inside) return;
        is_inside = true;
        heard = f(inner, int64_t{2}).to_vector<float>();
      });
  const std::vector<float> result = f(y, int64_t{2}).to_vector<float>();
  set_log_callback(before);
  EXPECT_EQ(result, (y * 2).to_vector<float>());
  EXPECT_EQ(heard, (inner * 2).to_vector<float>());
}

TEST(Recompiles, ProgramsAreBoundedAndEvictionsCounted) {
  const auto f = compile(kTwice, {.programs = 2, .dynamic = Dynamic::never});
  for (const int64_t size : {3, 4, 3, 5, 3, 4}) {  // 4 goes for 5, then 5 for 4
    const Tensor x = numbers({size});
    EXPECT_EQ(f(x, int64_t{3}).to_vector<float>(), (x * 3).to_vector<float>());
  }
  const capture::CacheCounters counters = f.counters();
  EXPECT_EQ(counters.programs, 2u);
  EXPECT_EQ(counters.hits, 2);
  EXPECT_EQ(counters.misses, 4);
  EXPECT_EQ(counters.evictions, 2);
  EXPECT_EQ(f.programs().size(), 2u);
  EXPECT_NE(to_text(explain_recompiles(f)).find("CompileOptions::programs"), std::string::npos);
}

TEST(Recompiles, TheKnobBoundsFunctionsThatSayNothing) {
  const ScopedKnob programs(Knob::programs, 1);
  const auto f = compile(kTwice);
  f(numbers({3}), int64_t{2});
  f(numbers({4}), int64_t{2});
  EXPECT_EQ(f.counters().programs, 1u);
}

TEST(Recompiles, TheListIsBounded) {
  const auto f = compile([](const Tensor& x, int64_t n) { return x + n; }, {.programs = 1});
  const Tensor x = numbers({2});
  const auto limit = static_cast<int64_t>(driver::RecompileLog::kLimit);
  for (int64_t i = 0; i < limit + 3; ++i) f(x, i % 2);
  const Recompiles all = explain_recompiles(f);
  EXPECT_EQ(all.records.size(), driver::RecompileLog::kLimit);
  EXPECT_EQ(all.forgotten, 2u);
}

}  // namespace
}  // namespace ridge::recompiles_test
