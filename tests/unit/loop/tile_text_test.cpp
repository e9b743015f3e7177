#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/statement_walk.h"
#include "tests/unit/loop/tile_samples.h"

namespace ridge::loop::tile_text_test {
namespace {

TEST(TileText, BothFormsOfAProductPrintTheirTextAgain) {
  for (const char* const name : {"product_unmapped", "product_mapped"}) {
    const std::string text = tile_sample(name);
    EXPECT_EQ(to_text(parse(text)), text);
  }
}

TEST(TileText, WhatTheHeadOfTileHShowsIsThere) {
  std::ifstream file(RIDGE_SOURCE_DIR "/ridge/loop/tile.h");
  std::string head;
  for (std::string line; std::getline(file, line) && line.starts_with("//");) {
    const size_t first = line.find_first_not_of("/ ");
    if (first != std::string::npos) head += line.substr(first) + "\n";
  }
  // The head leaves out the buffers of the second text, and wraps or shortens what is long.
  for (const char* const name : {"product_unmapped", "product_mapped"}) {
    std::istringstream text(tile_sample(name));
    int shown = 0, all = 0;
    for (std::string line; std::getline(text, line); ++all) {
      const size_t first = line.find_first_not_of(' ');
      shown += head.find(line.substr(first)) != std::string::npos ? 1 : 0;
    }
    EXPECT_GE(shown, all - 5) << name;
  }
}

// Every clause of every statement that the two samples have not.
constexpr std::string_view kAllClauses =
    R"(kernel all_clauses(x: f16[b * m * n] in, out: f16[b * m * n] out; b, m, n) threads 384 {
  view x_map = x[b, m, n] from 8 strides m * n, n, 1 box 1, 64, 32 swizzle 64
  view plain = out[m, n] strides n, 1 box 64, 8
  ring keys slots 2
  tile k_tile: f16[64, 32] columns swizzle 64 in keys
  tile bias: f32[1, 64] linear in math
  tile spare: f16[64, 8] linear
  tile scores: f32[64, 64] accumulator in math
  tile left: f16[64, 64] operand in math
  tile top: f32[64, 1] row_values in math
  tile below: f32[1, 64] column_values in math
  role math warpgroups 2 index i9 {
    barrier_arrive 2 threads 256
    for i0, i1, i2 in tiles(b, m // 64, n // 64) from i9 step 2 {
      skip keys 2 * i9
      barrier_sync 1 threads 256
      consume keys lag 1 {
        dot scores += left transposed * k_tile[32, 0] transposed
        wait_dot 1
        wait_dot 0 scores, left
      }
      fold top max= scores along columns within *, n - 64 * i2
      fold below sum= scores along rows
      each i3, i4 of scores within m - 64 * i1, * {
        read v0: f32 = scores  # score
        write scores = v0
      }
      move left = scores
      copy plain[64 * i1, 0] = spare
    }
  }
  role load warps 4 {
    for i0, i1, i2 in tiles(b, m // 64, n // 64) {
      produce keys {
        copy k_tile = x_map[i0, 64 * i1, 32 * i2]
      }
    }
  }
}
)";

TEST(TileText, EveryClauseComesBack) {
  const Kernel kernel = parse(kAllClauses);
  EXPECT_EQ(to_text(kernel), kAllClauses);
  EXPECT_EQ(kernel.threads, 384);
  ASSERT_EQ(kernel.tiles.size(), 7u);
  EXPECT_EQ(kernel.tiles[0].ring, 0);
  EXPECT_TRUE(kernel.tiles[0].is_column_contiguous);
  EXPECT_EQ(kernel.tiles[0].layout, TileLayout::swizzle_64);
  EXPECT_EQ(kernel.tiles[1].role, "math");
  EXPECT_EQ(kernel.tiles[2].role, "");
  EXPECT_EQ(kernel.views[0].box, (std::vector<int64_t>{1, 64, 32}));
  EXPECT_EQ(kernel.values[0].name, "score");
  const auto& role = std::get<Role>(kernel.body[0].kind);
  EXPECT_EQ(role.warps, 4);
  EXPECT_EQ(role.instances, 2);
  EXPECT_EQ(role.index, 9);
  const auto& tiles = std::get<TileLoop>(role.body[1].kind);
  EXPECT_EQ(tiles.axes, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(tiles.step, 2);
  const auto& consume = std::get<Consume>(tiles.body[2].kind);
  EXPECT_EQ(consume.lag, 1);
  EXPECT_TRUE(std::get<Dot>(consume.body[0].kind).is_lhs_transposed);
  EXPECT_EQ(std::get<WaitDot>(consume.body[2].kind).tiles, (std::vector<int>{3, 4}));
  const auto& fold = std::get<FoldTile>(tiles.body[3].kind);
  EXPECT_EQ(fold.along, Along::columns);
  EXPECT_EQ(fold.limits.rows.get(), nullptr);
  const auto& producer = std::get<Role>(kernel.body[1].kind);
  EXPECT_EQ(producer.warps, 1);
  EXPECT_EQ(producer.instances, 4);
}

TEST(TileText, SizesOfTilesAreParamsBehindTheSizes) {
  const Kernel kernel = parse(tile_sample("product_unmapped"));
  EXPECT_EQ(kernel.tile_sizes, (std::vector<std::string>{"tm", "tn", "tk"}));
  EXPECT_EQ(kernel.tiles[0].rows->kind, expr::Kind::param);
  EXPECT_EQ(kernel.tiles[0].rows->index, 3);
  const std::string alone = "kernel k(; ; tm) {\n  tile t: f32[tm, 1]\n  fill t = 0.0\n}\n";
  EXPECT_EQ(to_text(parse(alone)), alone);
}

TEST(TileText, NamesThatWouldReadAsSomethingElseAreQuoted) {
  const std::string text =
      "kernel k() {\n  tile \"async\": f32[1, 1]\n  tile \"a b\": f32[1, 1]\n"
      "  tile \"v1\": f32[1, 1]\n  tile tile: f32[1, 1]\n  dot \"async\" += \"a b\" * \"v1\"\n"
      "  dot async tile += \"v1\"[0, 0] * \"for\"\n}\n";
  const std::string known = replaced(text, "\"for\"", "tile");
  EXPECT_EQ(to_text(parse(known)), known);
  EXPECT_THROW(parse(text), Error);
}

TEST(TileText, WordsOfStatementsStayNamesOfBuffers) {
  const std::string text =
      "kernel k(fill: f32[4] out, tile: f32[4] in_out, read: f32[4] out) {\n"
      "  for i0 in 4 {\n    let v0: f32 = tile[i0]\n    fill[i0] = v0\n    read[i0] = v0\n"
      "    tile[i0] = v0\n  }\n}\n";
  EXPECT_EQ(to_text(parse(text)), text);
}

TEST(TileText, WalksReachStatementsAndExpressions) {
  const Kernel kernel = parse(kAllClauses);
  int statements = 0;
  std::string expressions;
  for_each_statement(kernel.body, [&](const Statement& statement) {
    ++statements;
    for_each_expression(statement,
                        [&](const Expr& e) { expressions += expression_text(kernel, e) + "; "; });
  });
  EXPECT_EQ(statements, 20);
  EXPECT_EQ(
      expressions,
      "b; m // 64; n // 64; i9; 2 * i9; 32; 0; n - 64 * i2; m - 64 * i1; 64 * i1; 0; b; m // 64; "
      "n // 64; i0; 64 * i1; 32 * i2; ");
}

std::string message_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::parse);
    return error.what();
  }
  return "";
}

TEST(TileText, ErrorsNameLineAndColumn) {
  const std::string mapped = tile_sample("product_mapped");
  const auto message = [&](const std::string& part, const std::string& by) {
    return message_of(replaced(mapped, part, by));
  };
  const auto expect = [](const std::string& given, const std::string& expected,
                         const std::string& place) {
    EXPECT_NE(given.find(expected), std::string::npos) << given;
    EXPECT_NE(given.find(place), std::string::npos) << given;
  };
  expect(message("+= lhs[64", "+= left[64"), "a tile; `left` is none", "line 15");
  expect(message("consume stages", "consume slots"), "a ring; `slots` is none", "column 22");
  expect(message("= a_map[128", "= a[128"), "a view; `a` is none", "line 36");
  expect(message("= a[m, k]", "= c[m, k]"), "the buffer of a view; `c` is none", "line 2");
  expect(message("slots 4", "slots four"), "a number of slots", "line 5");
  expect(message("warpgroups 2", "threads 2"), "`warps`", "line 10");
  expect(message("wait_dot 0 sum", "wait_dot sum"), "how many dots may be in flight", "line 16");
  expect(message("box 128, 64", "box 128, x"), "an extent of the box", "line 2");
  expect(message("threads 288", "threads x"), "the threads of a block", "line 1");
}

// Whatever is done to a text, it is read or refused, and so is what is read.
TEST(TileText, SurvivesMutations) {
  SplitMix64 random(7);
  const std::vector<std::string> samples = {
      tile_sample("product_unmapped"), tile_sample("product_mapped"), std::string(kAllClauses)};
  const std::string alphabet = "iv0129 (){}[]=+-*/%@\":;,.akms\n";
  const auto below = [&](size_t size) {
    return static_cast<size_t>(random.integer(0, static_cast<int64_t>(size) - 1));
  };
  int read = 0, right = 0;
  for (int round = 0; round < 10000; ++round) {
    std::string text = samples[below(samples.size())];
    for (int64_t changes = random.integer(1, 3); changes > 0; --changes) {
      const size_t at = below(text.size());
      switch (random.integer(0, 3)) {
        case 0: text[at] = alphabet[below(alphabet.size())]; break;
        case 1: text.erase(at, below(8) + 1); break;
        case 2: text.insert(at, 1, alphabet[below(alphabet.size())]); break;
        case 3: {  // a line behind another
          const size_t line = text.find('\n', below(text.size()));
          const size_t end = text.find('\n', std::min(line, text.size() - 2) + 1);
          const size_t to = text.find('\n', at);
          if (end != std::string::npos) text.insert(to, text.substr(line, end - line));
        }
      }
    }
    std::string printed;
    try {
      const Kernel kernel = parse(text);
      printed = to_text(kernel);
      ++read;
      ASSERT_EQ(to_text(parse(printed)), printed) << text;
      verify(kernel);
      ++right;
    } catch (const Error& error) {
      ASSERT_EQ(error.code() == ErrorCode::parse, printed.empty()) << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(read, 300);
  EXPECT_GT(right, 80);
}

// Every prefix of a text is refused, and none is a crash.
TEST(TileText, NoBeginningOfATextIsAKernel) {
  for (const std::string& text : {tile_sample("product_mapped"), std::string(kAllClauses)}) {
    for (size_t length = 0; length + 2 < text.size(); ++length) {
      EXPECT_THROW(parse(text.substr(0, length)), Error) << length;
    }
  }
}

}  // namespace
}  // namespace ridge::loop::tile_text_test
