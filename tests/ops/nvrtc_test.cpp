// Every op as kernels for a GPU, compiled where there is none: NVRTC has nothing against them.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <unordered_set>

#include "cases.h"
#include "recorded_case.h"
#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/schedule/plan.h"
#include "tests/nvrtc_checks.h"

namespace ridge::testing::nvrtc_test {
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

std::string complaints_about(const std::string& name, const std::string& text,
                             bool may_have_frame) {
  const auto compiled = runtime::cuda::compile_cuda(
      text, {.name = name, .arch = "sm_90a", .is_self_contained = true, .want_usage = true});
  return runtime::cuda::complaints(compiled.log, may_have_frame);
}

// The kernels of an op, as many in one text as have names of their own: most of the time that NVRTC
// takes for a short kernel is the same for any text.
class OpKernels {
 public:
  void add(const codegen::CudaKernel& kernel, const std::string& what) {
    const bool has_frame = may_have_frame(kernel.source);
    if (!symbols_.insert(kernel.symbol).second || has_frame != has_frame_) {
      check();
      symbols_.insert(kernel.symbol);
      has_frame_ = has_frame;
    }
    kernels_.push_back({kernel.symbol, kernel.source, what});
  }

  void check() {
    std::vector<std::string_view> texts;
    for (const Sample& kernel : kernels_) texts.push_back(kernel.source);
    if (!is_clean(linker::joined_text(texts))) {
      for (const Sample& kernel : kernels_) {
        EXPECT_EQ(complaints_about(kernel.symbol, kernel.source, has_frame_), "")
            << kernel.what << "\n"
            << kernel.source;
      }
    }
    kernels_.clear();
    symbols_.clear();
  }

 private:
  struct Sample {
    std::string symbol, source, what;
  };

  // A text that does not compile has a kernel that does not compile by itself either.
  bool is_clean(const std::string& text) const {
    try {
      return complaints_about("kernels", text, has_frame_).empty();
    } catch (const Error&) {
      return false;
    }
  }

  std::vector<Sample> kernels_;
  std::set<std::string> symbols_;
  bool has_frame_ = false;
};

const bool kNvrtcRegistered = for_each_op("Nvrtc", [](const ops::OpRecord& record) {
  RIDGE_NEEDS_NVRTC();
  OpKernels kernels;
  for (const DType dtype : some_dtypes(record)) {
    for (const OpCase& c : cases_of(record, dtype)) {
      for (const schedule::KernelCall& call : plan_for_gpu(c).calls) {
        const codegen::CudaKernel kernel = codegen::generate(call.kernel, {.arch = 90});
        if (is_new(kernel)) kernels.add(kernel, c.text());
      }
    }
  }
  kernels.check();
});

}  // namespace
}  // namespace ridge::testing::nvrtc_test
