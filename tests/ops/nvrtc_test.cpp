// Every op as kernels for a GPU, compiled where there is none: NVRTC has nothing against them.
#include <gtest/gtest.h>

#include <regex>
#include <unordered_set>

#include "cases.h"
#include "recorded_case.h"
#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/schedule/plan.h"
#include "tests/nvrtc_checks.h"

namespace ridge::testing {
namespace {

// Two of an op's dtypes, f32 among them where it can be; ops differ in the other.
std::vector<DType> some_dtypes(const ops::OpRecord& record) {
  std::vector<DType> all;
  for (const DType dtype : ops::accepted_dtypes(record)) {
    if (!is_storage_only(dtype) && !cases_of(record, dtype).empty()) all.push_back(dtype);
  }
  const auto first = std::find(all.begin(), all.end(), f32);
  if (first != all.end()) std::iter_swap(all.begin(), first);
  if (all.size() <= 2) return all;
  return {all[0], all[1 + hash_bytes(record.op->name()) % (all.size() - 1)]};
}

schedule::Plan plan_for_gpu(const OpCase& c) {
  graph::PassContext context;
  const graph::Graph graph =
      graph::run_passes(record(c, kCpu).graph, graph::standard_passes(), context);
  return schedule::schedule(graph,
                            {.target = schedule::Target::gpu, .sheet = cost::find_sheet("h200")});
}

// The library's reduction of large arguments in f64 takes an array.
bool may_have_frame(const std::string& source) {
  return std::regex_search(source, std::regex("[^a-z_:](sin|cos)\\("));
}

// Texts that compiled; the samples of an op often differ in sizes that make no difference.
bool is_new(const codegen::CudaKernel& kernel) {
  static std::unordered_set<uint64_t> known;
  return known.insert(hash_bytes(kernel.source)).second;
}

const bool kNvrtcRegistered = for_each_op("Nvrtc", [](const ops::OpRecord& record) {
  RIDGE_NEEDS_NVRTC();
  for (const DType dtype : some_dtypes(record)) {
    for (const OpCase& c : cases_of(record, dtype)) {
      for (const schedule::KernelCall& call : plan_for_gpu(c).calls) {
        const codegen::CudaKernel kernel = codegen::generate(call.kernel, {.arch = 90});
        if (!is_new(kernel)) continue;
        const auto compiled = runtime::cuda::compile_cuda(
            kernel.source, {.name = kernel.symbol, .arch = "sm_90a", .want_usage = true});
        EXPECT_EQ(runtime::cuda::complaints(compiled.log, may_have_frame(kernel.source)), "")
            << c.text() << "\n"
            << kernel.source;
      }
    }
  }
});

}  // namespace
}  // namespace ridge::testing
