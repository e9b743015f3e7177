#include "ridge/dispatch/key_set.h"

#include <gtest/gtest.h>

namespace ridge::dispatch::key_set_test {
namespace {

TEST(KeySet, HighestKeyRunsFirst) {
  KeySet keys{Key::cpu, Key::autograd, Key::profile};
  EXPECT_EQ(keys.slot(), KeySet(Key::profile).slot());
  keys = keys & KeySet::below(Key::profile);
  EXPECT_EQ(keys.slot(), KeySet(Key::autograd).slot());
  keys = keys & KeySet::below(Key::autograd);
  EXPECT_EQ(keys, KeySet(Key::cpu));
  EXPECT_EQ(KeySet().slot(), 0);
}

TEST(KeySet, OrderOfLayersIsTheDesigned) {
  const Key order[] = {Key::profile, Key::autocast, Key::trace,    Key::autograd, Key::reference,
                       Key::meta,    Key::cuda,     Key::outside3, Key::outside0, Key::cpu};
  for (size_t i = 1; i < std::size(order); ++i) {
    EXPECT_GT(KeySet(order[i - 1]).slot(), KeySet(order[i]).slot()) << name(order[i]);
  }
}

TEST(KeySet, PrintsHighestFirst) {
  EXPECT_EQ(to_text(KeySet{Key::cpu, Key::trace}), "{trace, cpu}");
  EXPECT_EQ(to_text(KeySet()), "{}");
}

}  // namespace
}  // namespace ridge::dispatch::key_set_test
