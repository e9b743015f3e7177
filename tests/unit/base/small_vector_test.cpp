#include "ridge/base/small_vector.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "ridge/base/error.h"

namespace ridge::small_vector_test {
namespace {

using Strings = SmallVector<std::string, 2>;
using Numbers = SmallVector<int64_t, 4>;

static_assert(std::is_nothrow_move_constructible_v<Strings>);
static_assert(std::ranges::contiguous_range<Numbers>);

// Long enough to live on the heap, so that a sanitizer sees every mistake.
std::string word(int i) { return "a word too long for a short string " + std::to_string(i); }

Strings words(int count) {
  Strings result;
  for (int i = 0; i < count; ++i) result.push_back(word(i));
  return result;
}

TEST(SmallVector, StaysInlineUntilFull) {
  Numbers numbers = {1, 2, 3};
  numbers.push_back(4);
  EXPECT_TRUE(numbers.is_inline());
  numbers.push_back(5);
  EXPECT_FALSE(numbers.is_inline());
  EXPECT_EQ(numbers, (Numbers{1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers.front(), 1);
  EXPECT_EQ(numbers.back(), 5);
}

TEST(SmallVector, CopiesAndMovesInlineAndHeap) {
  for (const int count : {0, 1, 2, 3, 9}) {
    Strings original = words(count);
    Strings copy = original;
    EXPECT_EQ(copy, original);
    Strings moved = std::move(original);
    EXPECT_EQ(moved, copy);
    EXPECT_TRUE(original.empty());  // promised, unlike std::vector
    original.push_back("again");
    EXPECT_EQ(original.size(), 1u);

    for (const int other : {0, 2, 5}) {
      Strings target = words(other);
      target = copy;
      EXPECT_EQ(target, copy);
      target = words(other);
      target = std::move(moved);
      EXPECT_EQ(target, copy);
      moved = std::move(target);
    }
  }
}

TEST(SmallVector, SurvivesAssignmentToItself) {
  Strings strings = words(3);
  Strings& alias = strings;
  strings = alias;
  strings = std::move(alias);
  EXPECT_EQ(strings, words(3));
}

TEST(SmallVector, HoldsWhatCannotBeCopied) {
  SmallVector<std::unique_ptr<int>, 1> pointers;
  for (int i = 0; i < 5; ++i) pointers.push_back(std::make_unique<int>(i));
  pointers.erase(pointers.begin());
  pointers.insert(pointers.begin(), std::make_unique<int>(7));
  auto moved = std::move(pointers);
  EXPECT_EQ(*moved[0], 7);
  EXPECT_EQ(*moved[4], 4);
}

TEST(SmallVector, MayBeGivenItsOwnElements) {
  Strings strings = words(2);
  strings.push_back(strings[0]);  // grows: the argument moves while it is read
  EXPECT_EQ(strings.back(), word(0));
  strings.insert(strings.begin(), strings.back());
  EXPECT_EQ(strings.front(), word(0));
  strings.resize(9, strings[1]);
  EXPECT_EQ(strings.back(), word(0));
  strings.assign(3, strings[0]);
  EXPECT_EQ(strings, (Strings{word(0), word(0), word(0)}));
}

TEST(SmallVector, InsertsAndErasesLikeStdVector) {
  for (size_t at = 0; at <= 3; ++at) {
    const auto offset = static_cast<std::ptrdiff_t>(at);
    Numbers ours = {1, 2, 3};
    std::vector<int64_t> theirs = {1, 2, 3};
    EXPECT_EQ(ours.insert(ours.begin() + offset, 9), ours.begin() + offset);
    theirs.insert(theirs.begin() + offset, 9);
    ours.insert(ours.begin() + offset, {7, 8});
    theirs.insert(theirs.begin() + offset, {7, 8});
    EXPECT_TRUE(std::ranges::equal(ours, theirs));
    ours.erase(ours.begin() + offset, ours.begin() + offset + 2);
    theirs.erase(theirs.begin() + offset, theirs.begin() + offset + 2);
    EXPECT_EQ(ours.erase(ours.begin()), ours.begin());
    theirs.erase(theirs.begin());
    EXPECT_EQ(ours.erase(ours.end(), ours.end()), ours.end());
    EXPECT_TRUE(std::ranges::equal(ours, theirs));
  }
}

TEST(SmallVector, ResizesAndAssigns) {
  Numbers numbers(3);
  EXPECT_EQ(numbers, (Numbers{0, 0, 0}));
  numbers.resize(6, 5);
  EXPECT_EQ(numbers, (Numbers{0, 0, 0, 5, 5, 5}));
  numbers.resize(1);
  EXPECT_EQ(numbers, Numbers{0});
  numbers.assign({4, 5});
  EXPECT_EQ(numbers, (Numbers{4, 5}));
  numbers = {6};
  EXPECT_EQ(numbers, Numbers{6});
  EXPECT_EQ(Numbers(2, 7), (Numbers{7, 7}));
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
}

TEST(SmallVector, ConvertsToAndFromSpans) {
  const Numbers numbers = {1, 2, 3};
  const std::span<const int64_t> view = numbers;
  EXPECT_EQ(std::accumulate(view.begin(), view.end(), int64_t{0}), 6);
  EXPECT_EQ(Numbers(view), numbers);
  Numbers target;
  target.assign(view);
  std::span<int64_t> writable = target;
  writable[0] = 9;
  EXPECT_EQ(target, (Numbers{9, 2, 3}));
  EXPECT_EQ((SmallVector<int64_t, 1>{9, 2, 3}), target);
}

TEST(SmallVector, IteratesBackward) {
  const Numbers numbers = {1, 2, 3};
  EXPECT_EQ(Numbers(numbers.rbegin(), numbers.rend()), (Numbers{3, 2, 1}));
}

TEST(SmallVector, AtThrowsAnIndexError) {
  Numbers numbers = {1, 2};
  EXPECT_EQ(numbers.at(1), 2);
  try {
    numbers.at(2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
    EXPECT_STREQ(error.what(), "expected an index below 2, given 2 (index error)");
  }
}

TEST(SmallVector, RefusesMoreElementsThanItCanCount) {
  Numbers numbers = {1};
  EXPECT_THROW(numbers.reserve(size_t{1} << 32), Error);
  EXPECT_EQ(numbers, Numbers{1});
}

// Throws on the n-th construction or assignment and counts the living. Its moves may throw too,
// so a vector of them must grow by copying.
struct Bomb {
  static inline int living = 0;
  static inline int fuse = -1;

  static void burn() {
    if (fuse >= 0 && fuse-- == 0) throw std::runtime_error("boom");
  }

  explicit Bomb(int number) : value(std::make_unique<int>(number)) { enter(); }
  Bomb(const Bomb& other) : value(std::make_unique<int>(*other.value)) { enter(); }
  Bomb& operator=(const Bomb& other) {
    burn();
    *value = *other.value;
    return *this;
  }
  ~Bomb() { --living; }

  bool operator==(const Bomb& other) const { return *value == *other.value; }

  std::unique_ptr<int> value;

 private:
  static void enter() {
    burn();
    ++living;
  }
};

using Bombs = SmallVector<Bomb, 2>;

Bombs bombs(int count) {
  Bombs result;
  for (int i = 0; i < count; ++i) result.emplace_back(i);
  return result;
}

// Runs the action with a fuse of 0, 1, 2, ... until it succeeds; after each failure `check` looks
// at the vector. Any leak or double destruction shows in the count of the living.
template <class Action, class Check>
void explode(int count, Action action, Check check) {
  for (int fuse = 0;; ++fuse) {
    Bomb::living = 0;
    bool has_succeeded = false;
    {
      Bombs vector = bombs(count);
      Bomb::fuse = fuse;
      try {
        action(vector);
        has_succeeded = true;
      } catch (const std::runtime_error&) {
        check(vector);
      }
      Bomb::fuse = -1;
    }
    EXPECT_EQ(Bomb::living, 0) << "size " << count << ", fuse " << fuse;
    if (has_succeeded) break;
  }
}

TEST(SmallVectorExceptions, AppendingChangesNothingOnFailure) {
  for (const int count : {0, 1, 2, 3, 4}) {
    const auto is_unchanged = [count](const Bombs& vector) {
      Bomb::fuse = -1;
      EXPECT_EQ(vector, bombs(count));
    };
    explode(count, [](Bombs& vector) { vector.emplace_back(9); }, is_unchanged);
    explode(count, [](Bombs& vector) { vector.push_back(Bomb(9)); }, is_unchanged);
    explode(count, [](Bombs& vector) { vector.reserve(20); }, is_unchanged);
    explode(count, [](Bombs& vector) { vector.resize(7, Bomb(9)); }, is_unchanged);
  }
}

TEST(SmallVectorExceptions, OtherChangesLeaveItValid) {
  for (const int count : {1, 2, 3, 4}) {
    const auto is_valid = [](const Bombs& vector) {
      int sum = 0;
      for (const Bomb& bomb : vector) sum += *bomb.value;  // a dead element trips the sanitizer
      EXPECT_GE(sum, 0);
    };
    explode(count, [](Bombs& vector) { vector.insert(vector.begin(), Bomb(9)); }, is_valid);
    explode(count, [](Bombs& vector) { vector.erase(vector.begin()); }, is_valid);
    explode(count, [](Bombs& vector) { vector.assign(5, Bomb(9)); }, is_valid);
    explode(count, [](Bombs& vector) { Bombs copy = vector; }, is_valid);
    explode(count, [](Bombs& vector) { Bombs taken = std::move(vector); }, is_valid);
    explode(count, [](Bombs& vector) { vector = bombs(3); }, is_valid);
  }
}

}  // namespace
}  // namespace ridge::small_vector_test
