#include "tests/gpu/golden_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "ridge/base/error.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "tests/fuzz/random_graph.h"

namespace ridge::golden {
namespace {

constexpr uint64_t kDataSeed = 11;

GoldenGraph read_one(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto says = [&](std::string_view what) { return text.find(what) != std::string::npos; };
  GoldenGraph golden{.name = path.stem().string(), .given = {}};
  golden.is_judged = !says("// too large to be judged");
  golden.runs_on_host = golden.is_judged && !says("// too long for a host");
  golden.keeps_frame = says("// library argument reduction keeps a frame");
  golden.given = {graph::parse(text), kDataSeed, says("// with gradients")};
  if (golden.given.has_gradients) golden.given = fuzz::with_gradients(golden.given);
  return golden;
}

class FunctionTest : public ::testing::Test {
 public:
  explicit FunctionTest(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

}  // namespace

std::vector<GoldenGraph> read_golden(const std::filesystem::path& folder) {
  RIDGE_CHECK(std::filesystem::is_directory(folder), .code = ErrorCode::io,
              .expected = "the folder of the golden set", .given = folder.string());
  std::vector<GoldenGraph> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".ir") all.push_back(read_one(entry.path()));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

Planned plan_for(const GoldenGraph& golden, std::string_view sheet) {
  graph::PassContext context;
  Planned made{graph::run_passes(golden.given.graph, graph::standard_passes(), context), {}};
  made.plan = schedule::schedule(
      made.graph, {.target = schedule::Target::gpu, .sheet = cost::find_sheet(sheet)});
  for (const schedule::KernelCall& call : made.plan.calls) loop::verify(call.kernel);
  return made;
}

std::vector<codegen::CudaKernel> texts_of(const schedule::Plan& plan,
                                          const codegen::CudaTarget& target) {
  std::vector<codegen::CudaKernel> texts;
  for (const schedule::KernelCall& call : plan.calls) {
    texts.push_back(codegen::generate(call.kernel, target));
  }
  return texts;
}

void add_test(const char* suite, const std::string& name, std::function<void()> body) {
  ::testing::RegisterTest(
      suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
      [body = std::move(body)]() -> ::testing::Test* { return new FunctionTest(body); });
}

}  // namespace ridge::golden
