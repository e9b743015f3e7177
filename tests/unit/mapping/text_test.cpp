// Mappings as text: printed, read back, and what is said of a broken one.
#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/mapping/mapping.h"

namespace ridge::mapping::text_test {
namespace {

Product& product_of(Mapping& mapping) { return std::get<Product>(mapping.family); }

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(MappingText, TheUsualOneIsShort) {
  EXPECT_EQ(to_text(Mapping{}), "product wgmma 128x256x64 cooperative 2 stages 4 group 8");
}

TEST(MappingText, EveryFieldReadsBack) {
  Mapping mapping{.launch = {.cluster = 2,
                             .min_blocks_per_sm = 2,
                             .pdl = true,
                             .lhs = CacheHint::evict_first,
                             .rhs = CacheHint::evict_last},
                  .alignment = Alignment::realigned};
  product_of(mapping) = {.unit = MatrixUnit::mma,
                         .rows = 64,
                         .columns = 144,
                         .depth = 32,
                         .consumers = Consumers::ping_pong,
                         .warpgroups = 3,
                         .stages = 5,
                         .group = 16,
                         .split = 7,
                         .store = StoreWay::tile,
                         .store_buffers = 4};
  const std::string text = to_text(mapping);
  EXPECT_EQ(text,
            "product mma 64x144x32 ping_pong 3 stages 5 group 16 split 7 store tile 4 "
            "align realigned cluster 2 blocks 2 pdl on lhs evict_first rhs evict_last");
  EXPECT_EQ(parse(text).mapping, mapping);
  EXPECT_NE(parse(text).mapping, Mapping{});
}

TEST(MappingText, FieldsMayComeInAnyOrderAndBeLeftOut) {
  Mapping expected;
  product_of(expected).store = StoreWay::elements;
  product_of(expected).stages = 3;
  EXPECT_EQ(parse("  product wgmma 128x256x64 cooperative 2  store elements stages 3 ").mapping,
            expected);
}

TEST(MappingText, ColumnsSayWhereEachFieldBegins) {
  const std::string text = "product wgmma 128x256x64 cooperative 2 stages 4";
  const ParsedMapping parsed = parse(text);
  const auto column = [&](Field field) { return parsed.columns[static_cast<size_t>(field)]; };
  EXPECT_EQ(column(Field::unit), 9U);
  EXPECT_EQ(column(Field::tile), 15U);
  EXPECT_EQ(column(Field::stages), 40U);
  EXPECT_EQ(column(Field::split), text.size() + 1);
}

TEST(MappingText, ErrorsNameColumnAndWhatWasExpected) {
  EXPECT_EQ(error_of("product wgmm 128x256x64 cooperative 2"),
            "mapping: expected one of wgmma, mma, given `wgmm` at column 9 of "
            "`product wgmm 128x256x64 cooperative 2` (parse error); hint: did you mean `wgmma`?");
  EXPECT_NE(error_of("product wgmma 128x256 cooperative 2").find("`128x256` at column 15"),
            std::string::npos);
  EXPECT_NE(error_of("product wgmma 128x256x64").find("the end at column 25"), std::string::npos);
  const std::string start = "product wgmma 128x256x64 cooperative 2 ";
  EXPECT_NE(error_of(start + "stages four").find("expected a number of stages, given `four`"),
            std::string::npos);
  EXPECT_NE(error_of(start + "stages 4 stages 4").find("expected `stages` once"),
            std::string::npos);
  EXPECT_NE(error_of(start + "stage 4").find("did you mean `stages`?"), std::string::npos);
  for (const char* broken : {"", "reduce", "product wgmma 0x256x64 cooperative 2",
                             "product wgmma 128x256x64x2 cooperative 2",
                             "product wgmma 128x256x64 cooperative 99999999999999999999"}) {
    EXPECT_NE(error_of(broken), "none") << broken;
  }
}

}  // namespace
}  // namespace ridge::mapping::text_test
