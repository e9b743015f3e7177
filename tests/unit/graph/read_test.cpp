// Graphs from files: contradictions are found before anybody uses them.
#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/graph/graph.h"

namespace ridge::graph::read_test {
namespace {

std::string refusal(std::string_view text) {
  try {
    read(text, "some/graph.ir");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::parse) << error.what();
    return error.what();
  }
  return "accepted";
}

void expect_refused(std::string_view text, std::string_view place, std::string_view what) {
  const std::string given = refusal(text);
  EXPECT_EQ(given.find(place), 0U) << given;
  EXPECT_NE(given.find(what), std::string::npos) << given;
}

TEST(ReadGraph, AcceptsWhatIsRight) {
  const Graph graph = read("graph f(%0: f32[8]) {\n  %1 = neg(%0) : f32[8]\n  return %1\n}\n", "f");
  EXPECT_EQ(graph.nodes.size(), 1U);
}

TEST(ReadGraph, RefusesContradictoryTypes) {
  expect_refused("graph f(%0: f32[8]) {\n  %1 = neg(%0) : f32[9]\n  return %1\n}\n",
                 "some/graph.ir:2, ", "f32[8]");
  expect_refused("graph f(%0: f32[8]) {\n\n  %1 = neg(%0) : f64[8]\n  return %1\n}\n",
                 "some/graph.ir:3, ", "f32[8]");
  expect_refused("graph f(%0: f32[8], %1: f32[9]) {\n  %2 = add(%0, %1) : f32[9]\n  return %2\n}\n",
                 "some/graph.ir:2, ", "[8] and [9]");
  expect_refused("graph f(%0: f32[8]) {\n  return %0\n  update %0 = %0\n  update %0 = %0\n}\n",
                 "some/graph.ir", "one update");
}

TEST(ReadGraph, RefusesInputsThatNoTensorCanBe) {
  expect_refused("graph f(%0: f32[-8]) { return %0 }", "some/graph.ir", "-8");
  expect_refused("graph f(%0: f32[4, 4] strides [1]) { return %0 }", "some/graph.ir", "2 strides");
  expect_refused("graph f(%0: f32[4] strides [1, 2, 3, 4]) { return %0 }", "some/graph.ir",
                 "1 strides");
  expect_refused("graph f(%0: f32[4] strides [-1]) { return %0 }", "some/graph.ir", ">= 0");
  expect_refused("graph f(%0: f32[4611686018427387903, 4611686018427387903]) { return %0 }",
                 "some/graph.ir", "2^62");
}

TEST(ReadGraph, SaysWhereTheTextBreaksOff) {
  expect_refused("graph f(%0: f32[8]) {\n  %1 = neg(%0", "some/graph.ir: ", "line 2");
}

std::string scan_of(std::string_view xs, std::string_view length, std::string_view body_input) {
  return std::string("graph f(%0: f32[2], %1: ") + std::string(xs) +
         ") {\n  %2 = scan([%0], [%1], [], length=" + std::string(length) +
         ", reverse=false) : f32[2]\n    graph step(%0: f32[2], %1: " + std::string(body_input) +
         ") {\n      %2 = add(%0, %1) : f32[2]\n      return %2\n    }\n  return %2\n}\n";
}

TEST(ReadGraph, RefusesBodiesThatDoNotFit) {
  EXPECT_EQ(refusal(scan_of("f32[3, 2]", "[3]", "f32[2]")), "accepted");
  expect_refused(scan_of("f32[3, 2]", "[]", "f32[2]"), "some/graph.ir:2, ", "scan");
  expect_refused(scan_of("f32[]", "[3]", "f32[2]"), "some/graph.ir:2, ", "f32[]");
  expect_refused(scan_of("f32[3, 2]", "[300]", "f32[2]"), "some/graph.ir:2, ", "300");
  expect_refused(scan_of("f32[3, 1]", "[3]", "f32[2]"), "some/graph.ir:2, ", "f32[1]");
}

TEST(ReadGraph, RefusesBodiesInsideBodiesWithoutEnd) {
  std::string text = "graph f(%0: bool[]) {\n";
  for (int i = 0; i < 100000; ++i) {
    text += "%1 = cond(%0, [%0]) : bool[]\n graph b(%0: bool[]) {\n";
  }
  expect_refused(text, "some/graph.ir", "at most 64");
}

}  // namespace
}  // namespace ridge::graph::read_test
