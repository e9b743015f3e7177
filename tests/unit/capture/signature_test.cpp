#include "ridge/capture/signature.h"

#include <gtest/gtest.h>

#include <set>

#include "compiled.h"
#include "ridge/base/random.h"

namespace ridge::testing::signature_test {
namespace {

using capture::describe_difference;
using capture::FlatArguments;
using capture::Signature;

template <class... Args>
Signature signature_of(const Args&... args) {
  FlatArguments flat;
  capture::gather(flat, args...);
  return flat.signature;
}

TEST(Signature, IsEqualForOtherValuesAndOtherFloatingPointNumbers) {
  const Signature a = signature_of(random({2, 3}, 1), 0.5, 7);
  const Signature b = signature_of(random({2, 3}, 2), 0.25, 7);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(describe_difference(a, b), "no difference");
}

TEST(Signature, TellsApartWhatAProgramDependsOn) {
  const Tensor x = random({2, 3}, 1);
  const Tensor square = random({3, 3}, 1);
  const std::vector<Signature> all = {
      signature_of(x),
      signature_of(random({3, 2}, 1)),
      signature_of(random({2, 3}, 1, f64)),
      signature_of(random({2, 3, 1}, 1)),
      signature_of(square),
      signature_of(transpose(square, 0, 1)),
      signature_of(slice(random({2, 6}, 1), 1, 0, kEnd, 2)),
      signature_of(Tensor()),
      signature_of(Tensor::of<double>({1}, {})),
      signature_of(1.0),
      signature_of(1),
      signature_of(2),
      signature_of(x, random({2, 3}, 1)),
      signature_of(x, x),
      signature_of(std::vector<Tensor>{x, random({2, 3}, 2)}),
      signature_of(std::map<std::string, Tensor>{{"a", x}}),
      signature_of(std::map<std::string, Tensor>{{"b", x}}),
      signature_of(std::map<std::string, Tensor>{{"a name of many letters", x}}),
      signature_of(std::map<std::string, Tensor>{{"a name of many LETTERS", x}}),
      signature_of(std::map<int, Tensor>{{7, x}}),
  };
  std::set<uint64_t> hashes;
  for (size_t i = 0; i < all.size(); ++i) {
    hashes.insert(all[i].hash());
    for (size_t j = 0; j < all.size(); ++j) EXPECT_EQ(all[i] == all[j], i == j) << i << " " << j;
  }
  EXPECT_EQ(hashes.size(), all.size());
}

TEST(Signature, SaysWhatDiffers) {
  const Tensor x = random({3, 3}, 1);
  const std::vector<std::string> names = {"x", "y"};
  const auto difference = [&](const Signature& a, const Signature& b) {
    return describe_difference(a, b, names);
  };
  EXPECT_EQ(difference(signature_of(x, 1), signature_of(random({4, 3}, 1), 1)),
            "x: f32[3, 3] before, f32[4, 3] now");
  EXPECT_EQ(difference(signature_of(x, 1), signature_of(transpose(x, 0, 1), 1)),
            "x: f32[3, 3] before, f32[3, 3] with strides [1, 3] now");
  EXPECT_EQ(difference(signature_of(x, 1), signature_of(x, 2)), "y: 1 before, 2 now");
  EXPECT_EQ(difference(signature_of(x, Tensor::number(1.0)), signature_of(x, x)),
            "y: f64[] weak before, f32[3, 3] now");
  EXPECT_EQ(difference(signature_of(x, random({3, 3}, 2)), signature_of(x, x)),
            "the call: no shared memory before, arguments 0 and 1 share memory, 0 bytes apart now");
}

TEST(Signature, AutocastIsPartOfIt) {
  const Tensor x = random({3}, 1);
  const Signature off = signature_of(x);
  const AutocastScope lowered(bf16);
  const Signature on = signature_of(x);
  EXPECT_NE(off.hash(), on.hash());
  EXPECT_EQ(describe_difference(off, on), "the call: autocast off before, autocast to bf16 now");
}

TEST(Signature, GradModeIsPartOfIt) {
  const Tensor x = random({3}, 1);
  const Signature on = signature_of(x);
  const dispatch::GradMode off_mode(false);
  const Signature off = signature_of(x);
  EXPECT_FALSE(on == off);
  const auto difference = capture::first_difference(on, off);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->guard, "grad mode");
  EXPECT_EQ(difference->before, "on");
  EXPECT_EQ(difference->now, "off");
}

TEST(Signature, WhereSharedMemoryIsSeenIsPartOfIt) {
  const Tensor x = random({8}, 1);
  const auto part = [&](int64_t from) { return slice(x, 0, from, from + 2); };
  EXPECT_EQ(signature_of(part(0), part(2)), signature_of(part(2), part(4))) << "2 apart in both";
  EXPECT_FALSE(signature_of(part(0), part(2)) == signature_of(part(0), part(1)));
  EXPECT_FALSE(signature_of(part(2), part(0)) == signature_of(part(0), part(2)));
  EXPECT_EQ(signature_of(part(0)), signature_of(part(3))) << "alone, an offset says nothing";
  EXPECT_EQ(describe_difference(signature_of(part(0), part(2)), signature_of(part(2), part(1))),
            "the call: arguments 0 and 1 share memory, 8 bytes apart before, arguments 0 and 1 "
            "share memory, -4 bytes apart now");
}

TEST(Signature, ATensorThatStartsToRequireGradHasAnother) {
  const Tensor x = random({3}, 1);
  const Signature before = signature_of(x);
  set_requires_grad(x);
  const auto difference = capture::first_difference(before, signature_of(x));
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->guard, "requires_grad");
}

TEST(Signature, EveryGuardSaysBothValues) {
  const Tensor x = random({3, 3}, 1);
  const auto expect = [&](const Signature& now, const std::string& guard, const std::string& before,
                          const std::string& value) {
    const auto difference = capture::first_difference(signature_of(x, 1), now, {{"x", "n"}});
    ASSERT_TRUE(difference.has_value()) << guard;
    EXPECT_EQ(difference->guard, guard);
    EXPECT_EQ(difference->before, before);
    EXPECT_EQ(difference->now, value);
    EXPECT_EQ(difference->argument, guard == "value" ? "n" : "x");
  };
  expect(signature_of(random({3, 5}, 1), 1), "size 1", "3", "5");
  expect(signature_of(random({3, 3, 1}, 1), 1), "rank", "2", "3");
  expect(signature_of(random({3, 3}, 1, f64), 1), "dtype", "f32", "f64");
  expect(signature_of(transpose(x, 0, 1), 1), "row-major", "on", "off");
  expect(signature_of(Tensor(), 1), "defined", "f32[3, 3]", "undefined");
  expect(signature_of(x, 4), "value", "1", "4");
  const auto strides = capture::first_difference(signature_of(slice(random({3, 6}, 1), 1, 0, 3)),
                                                 signature_of(slice(random({3, 7}, 1), 1, 0, 3)));
  EXPECT_EQ(strides->guard, "strides");
  EXPECT_EQ(strides->now, "[7, 1]");
}

TEST(Signature, CountsWhatDiffers) {
  const Tensor x = random({3}, 1), y = random({4}, 2);
  EXPECT_EQ(capture::count_differences(signature_of(x, y, 1), signature_of(x, y, 1)), 0u);
  EXPECT_EQ(capture::count_differences(signature_of(x, y, 1), signature_of(y, x, 1)), 2u);
  EXPECT_EQ(capture::count_differences(signature_of(x), signature_of(x, y, 1)), 3u)
      << "the state of the thread stands elsewhere";
}

TEST(Signature, ManyTensorsThatShareMemoryAreAllFound) {
  std::vector<Tensor> tensors;
  for (uint64_t i = 0; i < 1000; ++i) tensors.push_back(zeros({1}));
  FlatArguments flat;
  capture::gather(flat, tensors);
  EXPECT_TRUE(flat.aliases.empty());
  tensors[999] = tensors[3];
  tensors[500] = tensors[3];
  capture::gather(flat, tensors);  // again, into what was used before
  ASSERT_EQ(flat.aliases.size(), 2u);
  EXPECT_EQ(flat.aliases[0].first, 3u);
  EXPECT_EQ(flat.aliases[0].second, 500u);
  EXPECT_EQ(flat.aliases[1].second, 999u);
  EXPECT_EQ(flat.inputs.size(), 1000u);
}

// What is kept from one call to the next must not show.
TEST(Signature, SharedMemoryIsFoundWhateverTheCallBeforeWas) {
  SplitMix64 numbers(5);
  const auto below = [&](uint64_t limit) { return static_cast<size_t>(numbers.next() % limit); };
  std::vector<Tensor> pool{Tensor()};
  for (uint64_t i = 0; i < 12; ++i) pool.push_back(random({4}, i));
  FlatArguments used;
  std::vector<Tensor> tensors(9);
  for (int call = 0; call < 500; ++call) {
    if (call % 40 == 0) tensors.resize(7 + below(4));
    for (size_t change = below(7); change > 0; --change) {
      const Tensor& other = pool[below(pool.size())];
      tensors[below(tensors.size())] =
          other.defined() && below(3) == 0 ? slice(other, 0, 0, 3) : other;
    }
    capture::gather(used, tensors);
    FlatArguments fresh;
    capture::gather(fresh, tensors);
    ASSERT_EQ(used.signature, fresh.signature) << call;
    ASSERT_EQ(used.inputs, fresh.inputs);
    size_t shared = 0;
    for (size_t i = 0; i < tensors.size(); ++i) {
      bool is_shared = false;
      for (size_t k = 0; k < i && tensors[i].defined(); ++k) {
        is_shared |= tensors[k].defined() && tensors[i].shares_storage_with(tensors[k]);
      }
      shared += is_shared ? 1 : 0;
    }
    ASSERT_EQ(used.aliases.size(), shared) << call;
  }
}

TEST(Signature, HashesOfRandomShapesDoNotCollide) {
  SplitMix64 random_words(7);
  std::set<std::vector<uint64_t>> words;
  std::set<uint64_t> hashes;
  for (int i = 0; i < 20000; ++i) {
    Signature signature;
    const int count = 1 + static_cast<int>(random_words.next() % 6);
    for (int k = 0; k < count; ++k) {
      signature.add_number(static_cast<size_t>(k), static_cast<int64_t>(random_words.next() % 64));
    }
    signature.add_thread();
    signature.finish();
    words.emplace(signature.words().begin(), signature.words().end());
    hashes.insert(signature.hash());
  }
  EXPECT_EQ(hashes.size(), words.size());
}

}  // namespace
}  // namespace ridge::testing::signature_test
