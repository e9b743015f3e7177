#include "ridge/dispatch/operator_table.h"

#include <gtest/gtest.h>

#include "ridge/dispatch/call.h"
#include "ridge/ridge.h"

namespace ridge::dispatch::operator_table_test {
namespace {

OperatorTable& table() { return OperatorTable::instance(); }

const Operator& add_op(const std::string& name) {
  return table().add(parse_schema(name + "(Tensor x) -> Tensor"), nullptr, Location::current());
}

// A kernel that returns its argument and notes that it ran.
std::shared_ptr<const Kernel> noting(std::vector<std::string>& notes, std::string note) {
  return make_kernel([&notes, note](Frame& frame, KeySet) {
    notes.push_back(note);
    frame.results[0] = *frame.args[0].tensor;
  });
}

Tensor call_on(const Operator& op, const Tensor& x) { return call_one(op, Location::current(), x); }

TEST(OperatorTable, NewestKernelWinsUntilItsHandleEnds) {
  const Operator& op = add_op("newest_wins");
  const Tensor x = Tensor::of<float>({1}, {1});
  std::vector<std::string> notes;
  const auto first = table().add_kernel("newest_wins", Key::cpu, noting(notes, "first"), "test");
  {
    const auto second =
        table().add_kernel("newest_wins", Key::cpu, noting(notes, "second"), "test");
    call_on(op, x);
  }
  call_on(op, x);
  EXPECT_EQ(notes, (std::vector<std::string>{"second", "first"}));
}

TEST(OperatorTable, FallbackServesEveryOpAndKernelsComeFirst) {
  const Operator& plain = add_op("fallback_plain");
  const Operator& special = add_op("fallback_special");
  const Tensor x = Tensor::empty({1}, f32, kMeta);
  std::vector<std::string> notes;
  const auto fallback = table().add_fallback(Key::meta, noting(notes, "fallback"), "test");
  const auto kernel =
      table().add_kernel("fallback_special", Key::meta, noting(notes, "kernel"), "test");
  call_on(plain, x);
  call_on(special, x);
  EXPECT_EQ(notes, (std::vector<std::string>{"fallback", "kernel"}));
}

TEST(OperatorTable, DumpSaysWhoRegisteredWhatAndWhere) {
  const Operator& op = add_op("dumped");
  std::vector<std::string> notes;
  const auto kernel =
      table().add_kernel("dumped", Key::outside1, noting(notes, "x"), "the dump test");
  const std::string text = table().table_text(op);
  EXPECT_NE(text.find("outside1    the dump test  "), std::string::npos) << text;
  EXPECT_NE(text.find("operator_table_test.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find("autograd"), std::string::npos) << text;
}

TEST(OperatorTable, MissingKernelNamesOpAndKeys) {
  const Operator& op = add_op("nobody_runs_this");
  float value = 1;
  const Device outside{DeviceKind::outside3, 0};
  const Tensor x = Tensor::view_of(Storage::wrap(&value, 4, outside), {1}, {1}, 0, f32);
  const unsigned line = Location::current().line() + 2;
  try {
    call_on(op, x);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    EXPECT_EQ(error.op(), "nobody_runs_this");
    EXPECT_NE(error.given().find("outside3"), std::string::npos) << error.what();
    EXPECT_LT(error.where()->line(), line);
  }
}

TEST(OperatorTable, NamesAreUniqueAndSuggested) {
  add_op("taken_once");
  EXPECT_THROW(add_op("taken_once"), Error);
  try {
    table().at("taken_onze");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_NE(std::string(error.what()).find("taken_once"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ridge::dispatch::operator_table_test
