#include "ridge/expr/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/expr/symbol.h"
#include "tests/unit/expr/random_expr.h"

namespace ridge::expr::text_test {
namespace {

const Expr x = input(0, Type::real);
const Expr i = axis(0);
const Expr j = axis(1);

Expr named(std::string name) {
  return symbol(
      make_ref<const Symbol>(std::move(name), Interval::at_least(1), std::nullopt, nullptr));
}

TEST(Text, Leaves) {
  EXPECT_EQ(to_text(i), "i0");
  EXPECT_EQ(to_text(x), "x0");
  EXPECT_EQ(to_text(param(1, Type::real)), "p1");
  EXPECT_EQ(to_text(load(2, Type::real, {i, j + 1})), "x2[i0, i1 + 1]");
  EXPECT_EQ(to_text(load(2, Type::real, {})), "x2[]");
  EXPECT_EQ(to_text(named("batch")), "batch");
}

TEST(Text, Constants) {
  EXPECT_EQ(to_text(Expr(3)), "3");
  EXPECT_EQ(to_text(Expr(3.0)), "3.0");
  EXPECT_EQ(to_text(Expr(-0.0)), "-0.0");
  EXPECT_EQ(to_text(Expr(1e-5)), "1e-05");
  EXPECT_EQ(to_text(Expr(0.1)), "0.1");
  EXPECT_EQ(to_text(Expr(std::numeric_limits<double>::infinity())), "inf");
  EXPECT_EQ(to_text(Expr(double{NAN})), "nan");
  EXPECT_EQ(to_text(Expr(true)), "true");
}

TEST(Text, ParenthesesOnlyWhereNeeded) {
  EXPECT_EQ(to_text(x / (1 + exp(-x))), "x0 / (1.0 + exp(-x0))");
  EXPECT_EQ(to_text(i + j * 2), "i0 + i1 * 2");
  EXPECT_EQ(to_text((i + j) * 2), "(i0 + i1) * 2");
  EXPECT_EQ(to_text(i - (j - 1)), "i0 - (i1 - 1)");
  EXPECT_EQ(to_text(i - j - 1), "i0 - i1 - 1");
  EXPECT_EQ(to_text(-(i * j)), "-(i0 * i1)");
  EXPECT_EQ(to_text(-i * j), "-i0 * i1");
  EXPECT_EQ(to_text(!(i < j) && j < 3), "!(i0 < i1) && i1 < 3");
  EXPECT_EQ(to_text(equal(i < j, j < 3)), "(i0 < i1) == (i1 < 3)");
  EXPECT_EQ(to_text(mod(floor_div(i, 4), 3)), "i0 // 4 % 3");
  EXPECT_EQ(to_text(cast(i, Type::real)), "real(i0)");
}

ParseContext context_of(const std::vector<Expr>& symbols) {
  ParseContext context;
  context.input_type = RandomExpr::input_type;
  context.param_type = [](int) { return Type::real; };
  context.symbol = [symbols](std::string_view name) {
    for (const Expr& e : symbols) {
      if (e->symbol->name() == name) return e;
    }
    return Expr();
  };
  return context;
}

TEST(Parse, ReadsBackWhatIsPrinted) {
  RandomExpr random(1);
  const ParseContext context = context_of(random.symbols());
  constexpr Type kTypes[] = {Type::boolean, Type::integer, Type::real};
  for (int n = 0; n < 4000; ++n) {
    const Expr e = random.make(kTypes[n % 3], 1 + n % 5);
    const Expr parsed = parse(to_text(e), context);
    ASSERT_TRUE(same(parsed, e)) << to_text(e) << "\n" << to_text(parsed);
  }
}

TEST(Parse, ExtremeConstants) {
  const ParseContext context = context_of({});
  for (const int64_t value :
       {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    EXPECT_TRUE(same(parse(to_text(Expr(value)), context), Expr(value)));
  }
  for (const double value : {5e-324, 1.7976931348623157e308, -0.0, 0.1, 1e22, 123456789.0}) {
    EXPECT_TRUE(same(parse(to_text(Expr(value)), context), Expr(value))) << value;
  }
}

TEST(Parse, OddSymbolNamesAreQuoted) {
  for (const char* name : {"x0", "i12", "true", "nan", "batch size", "a\"b\\c", "1st", ""}) {
    const Expr e = named(name) + 1;
    EXPECT_EQ(to_text(e)[0], '"') << name;
    EXPECT_TRUE(same(parse(to_text(e), context_of({e->args[0]})), e)) << to_text(e);
  }
  const Expr plain = named("block.3.width");
  EXPECT_EQ(to_text(plain), "block.3.width");
  EXPECT_TRUE(same(parse("block.3.width", context_of({plain})), plain));
}

TEST(Parse, AcceptsLooseSpacingAndGreaterThan) {
  const ParseContext context = context_of({});
  EXPECT_TRUE(same(parse(" i0*2 +i1 ", context), i * 2 + j));
  EXPECT_TRUE(same(parse("i0>i1", context), j < i));
  EXPECT_TRUE(same(parse("i0 >= 3", context), Expr(3) <= i));
  EXPECT_TRUE(same(parse("i0 - -3", context), i - -3));
}

TEST(Parse, ErrorsShowTextAndColumn) {
  const ParseContext context = context_of({});
  const auto message = [&](std::string_view text) -> std::string {
    try {
      parse(text, context);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::parse);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("i0 + "), "expected an operand, given `i0 + `, column 6 (parse error)");
  EXPECT_NE(message("i0 i1").find("column 4"), std::string::npos);
  EXPECT_NE(message("(i0").find("expected `)`"), std::string::npos);
  EXPECT_NE(message("i0 < i1 < 3").find("column 9"), std::string::npos);
  EXPECT_NE(message("silu(x0)").find("`silu` is none"), std::string::npos);
  EXPECT_NE(message("max(i0)").find("2 operands of max"), std::string::npos);
  EXPECT_NE(message("batch + 1").find("`batch` is none"), std::string::npos);
  EXPECT_NE(message("99999999999999999999").find("a number in range"), std::string::npos);
  EXPECT_NE(message("i99999999999").find("a smaller index"), std::string::npos);
  EXPECT_NE(message("\"open").find("expected `\"`"), std::string::npos);
  EXPECT_NE(message(std::string(5000, '(')).find("levels of nesting"), std::string::npos);
  EXPECT_NE(message("").find("an operand"), std::string::npos);
}

TEST(Parse, SizesAreShortAndMadeOfNumbersAndSymbols) {
  const Expr n = named("n");
  const ParseContext context{.symbol = [&](std::string_view) { return n; }};
  const auto read = [&](std::string_view text) {
    size_t at = 0;
    return parse_size_prefix(text, at, context);
  };
  EXPECT_TRUE(same(read("2 * n + 1"), 2 * n + 1));
  for (const char* text : {"i0", "n < 2", "1.5"}) EXPECT_THROW(read(text), Error) << text;
  std::string sum = "1";
  for (int k = 2; k < 20000; ++k) sum += " + n // " + std::to_string(k);
  EXPECT_THROW(read(sum), Error);
}

TEST(Parse, LongSumsNeedNoNesting) {
  Expr sum = i;
  for (int n = 0; n < 10000; ++n) sum = sum + j;
  EXPECT_TRUE(same(parse(to_text(sum), context_of({})), sum));
}

}  // namespace
}  // namespace ridge::expr::text_test
