// Which mappings there are, and which are refused and why.
#include "ridge/mapping/enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "product_works.h"
#include "ridge/base/error.h"
#include "ridge/cost/sheets.h"
#include "ridge/mapping/product_shape.h"
#include "ridge/mapping/tuning.h"

namespace ridge::mapping::enumerate_test {
namespace {

loop::DeviceLimits limits(std::string_view device = "h200") {
  return cost::device_limits(cost::find_sheet(device).get());
}
Fit fit(std::string_view text, const Work& work = forward(4096, 4096, 4096),
        std::string_view device = "h200") {
  return can_run(parse(text).mapping, work, limits(device));
}
bool has(const Candidates& candidates, std::string_view text) {
  return std::ranges::find(candidates.kept, parse(text).mapping) != candidates.kept.end();
}

TEST(Enumerate, TheTableOfTilesIsLegalAndNothingIsTwice) {
  const Candidates c = enumerate(forward(4096, 4096, 4096), limits());
  for (const char* text : {"product wgmma 128x256x64 cooperative 2 stages 4 group 16",
                           "product wgmma 256x128x64 cooperative 2 stages 4 group 8",
                           "product wgmma 256x192x64 cooperative 2 stages 3 group 8",
                           "product wgmma 256x208x64 cooperative 2 stages 3 group 8",
                           "product wgmma 128x208x64 ping_pong 2 stages 4 group 16",
                           "product wgmma 64x256x64 ping_pong 2 stages 4 group 16",
                           "product wgmma 128x16x64 cooperative 2 stages 8 group 8"}) {
    EXPECT_TRUE(has(c, text)) << text;
  }
  std::set<std::string> texts;
  for (const Mapping& mapping : c.kept) {
    EXPECT_TRUE(texts.insert(to_text(mapping)).second) << to_text(mapping);
    EXPECT_TRUE(can_run(mapping, forward(4096, 4096, 4096), limits()).decision);
    EXPECT_LE(accumulators(std::get<Product>(mapping.family)), 208);
  }
}

TEST(Enumerate, RefusalsAreBoundedAndSayWhy) {
  const Candidates c = enumerate(forward(4096, 4096, 4096), limits());
  EXPECT_GT(c.refused_count, 0);
  EXPECT_LE(c.refused.size(), tuning::kListedRefusals);
  const auto is_registers = [](const RefusedMapping& refused) {
    return refused.decision.reason == "256 sums of a thread do not fit 240 registers";
  };
  EXPECT_TRUE(std::ranges::any_of(c.refused, is_registers));
}

TEST(Enumerate, OlderDevicesMultiplyByWarps) {
  const Candidates c = enumerate(forward(4096, 4096, 4096), limits("a100-80"));
  ASSERT_FALSE(c.kept.empty());
  for (const Mapping& mapping : c.kept) {
    EXPECT_EQ(std::get<Product>(mapping.family).unit, MatrixUnit::mma);
  }
  EXPECT_TRUE(enumerate(forward(64, 64, 64), limits("v100")).kept.empty());
}

TEST(Enumerate, KIsSplitWhereTilesLeaveSmsWithoutWork) {
  const auto most_parts = [](const Work& work) {
    int most = 0;
    for (const Mapping& mapping : enumerate(work, limits()).kept) {
      most = std::max(most, std::get<Product>(mapping.family).split);
    }
    return most;
  };
  EXPECT_GE(most_parts(forward(768, 768, 16384)), 3);
  EXPECT_EQ(most_parts(forward(8192, 8192, 8192)), 1);
  EXPECT_EQ(most_parts(forward(256, 256, 512)), 1);  // parts of less than eight steps
}

TEST(Enumerate, OddPitchesAreRealignedOrPadded) {
  const auto ways = [](const Work& work, MatrixUnit unit) {
    std::set<Alignment> result;
    for (const Mapping& mapping : enumerate(work, limits()).kept) {
      if (std::get<Product>(mapping.family).unit == unit) result.insert(mapping.alignment);
    }
    return result;
  };
  Work work = odd(1793, 1793, 1793);
  EXPECT_EQ(ways(work, MatrixUnit::wgmma), std::set{Alignment::realigned});
  work.lhs.owner = work.rhs.owner = work.results[0].owner = PitchOwner::program;
  EXPECT_EQ(ways(work, MatrixUnit::wgmma), std::set{Alignment::padded});
  EXPECT_TRUE(ways(work, MatrixUnit::mma).contains(Alignment::given));
  EXPECT_EQ(ways(forward(64, 64, 64), MatrixUnit::wgmma), std::set{Alignment::given});
}

TEST(Enumerate, ATextThatDoesNotFitNamesItsColumn) {
  const std::string text = "product wgmma 128x256x64 cooperative 2 stages 5 group 8";
  const Fit no = fit(text);
  EXPECT_FALSE(no.decision);
  EXPECT_EQ(no.field, Field::stages);
  try {
    parse_fitting(text, forward(4096, 4096, 4096), limits());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    EXPECT_EQ(error.expected(), "a mapping that fits, at column 40, `stages`");
    EXPECT_EQ(error.hint(), "5 stages of 48.0 KiB and 32.0 KiB to store exceed 227.0 KiB");
  }
}

TEST(Enumerate, EachFieldIsHeldToTheDevice) {
  const std::string start = "product wgmma 128x256x64 cooperative 2 stages 4 ";
  EXPECT_TRUE(fit(start).decision);
  EXPECT_EQ(fit(start, forward(64, 64, 64), "a100-80").field, Field::unit);
  EXPECT_EQ(fit(start + "cluster 4").field, Field::cluster);
  EXPECT_EQ(fit(start + "split 65").field, Field::split);
  EXPECT_EQ(fit("product wgmma 96x256x64 cooperative 2").field, Field::tile);
  EXPECT_EQ(fit("product wgmma 128x250x64 cooperative 2").field, Field::tile);
  EXPECT_EQ(fit("product wgmma 128x256x64 ping_pong 2 stages 3").field, Field::tile);
  EXPECT_EQ(fit("product wgmma 128x128x64 ping_pong 3").field, Field::tile);
  EXPECT_EQ(fit(start, odd(64, 64, 64)).field, Field::align);
  Work work = forward(64, 64, 64);
  work.results[0].alignment = 2;
  EXPECT_EQ(fit(start, work).field, Field::store);
  EXPECT_TRUE(fit(start + "store elements", work).decision);
  work = forward(64, 64, 64);
  work.results[0].dtype = f32;
  EXPECT_EQ(fit(start, work).field, Field::store);
  EXPECT_TRUE(fit(start + "store elements", work).decision);
  work = forward(64, 64, 64);
  work.lhs.dtype = f32;
  EXPECT_EQ(fit(start, work).field, Field::unit);
}

TEST(ProductShape, SlotsAreWholeBoxesOfASwizzle) {
  const auto shape = [](std::string_view text, const Work& work) {
    return shape_of(parse(text).mapping, work, limits());
  };
  const ProductShape wide =
      shape("product wgmma 128x256x64 cooperative 2 stages 4", forward(64, 64, 64));
  EXPECT_EQ(wide.lhs.bytes + wide.rhs.bytes, 48 * 1024);
  EXPECT_TRUE(wide.rhs.is_column_contiguous);
  EXPECT_EQ(wide.consumer_registers, 232);
  EXPECT_EQ(wide.producer_registers, 40);
  const ProductShape narrow =
      shape("product wgmma 128x144x64 cooperative 2 stages 4", weight_gradient(64, 64, 64));
  EXPECT_EQ(narrow.rhs.columns, 160);
  EXPECT_EQ(narrow.rhs.swizzle, 64);
  EXPECT_TRUE(narrow.lhs.is_column_contiguous);
  EXPECT_EQ(narrow.lhs.swizzle, 128);
  ASSERT_EQ(narrow.pieces.size(), 2U);
  EXPECT_EQ(narrow.pieces[1].first, 128);
  EXPECT_EQ(narrow.pieces[1].columns, 16);
}

TEST(ProductShape, PiecesCoverAllColumns) {
  for (const DType dtype : {bf16, f32}) {
    for (int columns = 16; columns <= 256; columns += 16) {
      int end = 0;
      for (const StorePiece& piece : store_pieces(columns, dtype)) {
        EXPECT_EQ(piece.first, end);
        EXPECT_EQ(piece.columns * dtype.bits / 8, piece.swizzle);
        end += piece.columns * piece.count;
      }
      EXPECT_EQ(end, columns);
    }
  }
}

}  // namespace
}  // namespace ridge::mapping::enumerate_test
