#include "ridge/dispatch/schema.h"

#include <gtest/gtest.h>

namespace ridge::dispatch::schema_test {
namespace {

TEST(Schema, PrintsBackToItsText) {
  for (const char* text : {
           "add(Tensor x, Tensor y) -> Tensor",
           "sum(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           "sort(Tensor x, Int dim=-1) -> (Tensor values, Tensor indices)",
           "reshape(Tensor(a) x, Size[] shape) -> Tensor(a)",
           "add_(Tensor(a!) x, Tensor y) -> Tensor(a!)",
           "cat(Tensor[] xs, Int dim=0) -> Tensor",
           "norm(Tensor x, Tensor? weight, Float eps=1e-05) -> Tensor",
           "zeros(Size[] shape, DType dtype=f32, Device device=cpu) -> Tensor",
           "seed() -> Tensor",
       }) {
    EXPECT_EQ(parse_schema(text).to_text(), text);
  }
}

TEST(Schema, ReadsAliasesAndDefaults) {
  const Schema schema = parse_schema("f_(Tensor(a!) x, Int[] dims=[1, -2]) -> Tensor(a!)");
  EXPECT_TRUE(schema.parameters[0].alias.is_write);
  EXPECT_EQ(schema.results[0].alias.set, 'a');
  EXPECT_EQ(std::get<Ints>(schema.parameters[1].default_value)[1], -2);
  EXPECT_EQ(schema.index_of("dims"), 1U);
  EXPECT_THROW(schema.index_of("dim"), Error);
}

TEST(Schema, MistakesShowTheColumn) {
  for (const char* text :
       {"add", "add(", "add(Tensor)", "add(Tenor x) -> Tensor",
        "add(Tensor x) -> Tensor extra stuff", "add(Int x=) -> Tensor", "add(Int x=1.5) -> Tensor",
        "add(Int x=99999999999999999999) -> Tensor", "add(Tensor x) -> Int", "add(Tensor x)"}) {
    try {
      parse_schema(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::parse) << text;
      EXPECT_NE(error.given().find("column"), std::string::npos) << error.what();
    }
  }
}

TEST(Schema, ArgumentsAreCheckedByName) {
  const Schema schema = parse_schema("f(Tensor x, Int dim, Tensor? mask) -> Tensor");
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  const Arg good[] = {Arg(x), Arg(1), Arg()};
  check_arguments(schema, good);
  const Arg wrong_kind[] = {Arg(x), Arg(1.5), Arg()};
  try {
    check_arguments(schema, wrong_kind);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "f: expected a Int for `dim`, given Float (value error)");
  }
  const Tensor undefined;
  const Arg missing[] = {Arg(undefined), Arg(1), Arg()};
  try {
    check_arguments(schema, missing);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
  }
}

TEST(Arg, ValuesSurviveBorrowing) {
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  const std::vector<Value> values = {x,   Tensors{x, x}, int64_t{3}, 2.5,         true,
                                     f16, kCpu,          Ints{1, 2}, Shape{3, 4}, std::monostate{}};
  for (const Value& value : values) {
    const Value again = to_value(borrow(value));
    EXPECT_EQ(again.index(), value.index());
    EXPECT_EQ(to_text(borrow(again)), to_text(borrow(value)));
  }
}

}  // namespace
}  // namespace ridge::dispatch::schema_test
