#include "ridge/cost/units.h"

#include <gtest/gtest.h>

#include "ridge/cost/sheet.h"

namespace ridge::cost::units_test {
namespace {

TEST(Units, AreReadExactly) {
  EXPECT_EQ(read_unit("TFLOP/s")->factor, 1e12);
  EXPECT_EQ(read_unit("KiB")->factor, 1024);
  EXPECT_EQ(read_unit("GB")->unit, Unit::bytes);
  EXPECT_FALSE(read_unit("tflop/s"));
  EXPECT_FALSE(read_unit(""));
  EXPECT_EQ(base_name(Unit::flops_per_second), "FLOP/s");
  EXPECT_EQ(base_name(Unit::seconds), "s");
  EXPECT_EQ(base_name(Unit::count), "");
}

TEST(Units, AreWrittenInTheUnitThatReadsBest) {
  EXPECT_EQ(exact_text(989.4e12, Unit::flops_per_second), "989.4 TFLOP/s");
  EXPECT_EQ(exact_text(500e9, Unit::bytes_per_second), "500 GB/s");
  EXPECT_EQ(exact_text(52428800, Unit::bytes), "50 MiB");
  EXPECT_EQ(exact_text(80e9, Unit::bytes), "80 GB");
  EXPECT_EQ(exact_text(132, Unit::count), "132");
  EXPECT_EQ(readable_text(2039040000000, Unit::bytes_per_second), "2.039 TB/s");
  EXPECT_EQ(readable_text(132644864, Unit::bytes), "126.5 MiB");
  EXPECT_EQ(readable_text(4.21234e-6, Unit::seconds), "4.212 us");
  EXPECT_EQ(readable_text(65536, Unit::count), "65536");
}

TEST(Units, EveryKeyHasOneAndDescribesIt) {
  EXPECT_GT(figure_keys().size(), 80u);
  for (const FigureKey& key : figure_keys()) {
    EXPECT_EQ(unit_of(key.name), key.unit);
    EXPECT_FALSE(describe_unit(key.unit).empty());
    EXPECT_LT(limits(key.unit).least, limits(key.unit).most);
  }
  EXPECT_FALSE(unit_of("matrix"));
  EXPECT_EQ(unit_of("matrix.i8"), Unit::ops_per_second);
  EXPECT_EQ(unit_of("link.device.latency"), Unit::seconds);
}

}  // namespace
}  // namespace ridge::cost::units_test
