#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "tests/fuzz/oracle.h"
#include "tests/fuzz/plan_memory.h"
#include "tests/gpu/golden_tests.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::golden {
namespace {

using codegen::CudaKernel;
using codegen::HostLibrary;

// What remains on the host of a text: tests bring their own of some functions.
bool is_portable(const CudaKernel& kernel) {
  std::string text = kernel.source;
  for (size_t begin; (begin = text.find("#ifdef RIDGE_ON_HOST")) != std::string::npos;) {
    text.erase(begin, text.find("#endif", begin) - begin + 6);
  }
  return kernel.cluster == 1 && text.find("asm") == std::string::npos;
}

struct HostRun {
  const GoldenGraph* golden;
  Planned planned;
  std::vector<CudaKernel> texts;
};

// Equal kernels of several graphs are compiled once. All of them are one translation unit.
class HostSet {
 public:
  explicit HostSet(std::span<const GoldenGraph> set) {
    for (const GoldenGraph& golden : set) {
      if (!golden.runs_on_host) continue;
      HostRun run{&golden, plan_for(golden, "h200"), {}};
      run.texts = texts_of(run.planned.plan, {.arch = 90, .uses_tensor_cores = false});
      if (!std::all_of(run.texts.begin(), run.texts.end(), is_portable)) continue;
      runs_.emplace(golden.name, std::move(run));
    }
  }

  size_t size() const { return runs_.size(); }
  const HostRun* find(const std::string& name) const {
    const auto found = runs_.find(name);
    return found == runs_.end() ? nullptr : &found->second;
  }
  const HostLibrary& library() {
    if (library_ == nullptr) {
      std::map<std::string, CudaKernel> kernels;
      for (const auto& [name, run] : runs_) {
        for (const CudaKernel& kernel : run.texts) kernels.emplace(kernel.symbol, kernel);
      }
      std::vector<CudaKernel> list;
      for (const auto& [symbol, kernel] : kernels) list.push_back(kernel);
      library_ = std::make_unique<HostLibrary>(list);
    }
    return *library_;
  }

 private:
  std::map<std::string, HostRun> runs_;
  std::unique_ptr<HostLibrary> library_;
};

std::string differences(const fuzz::Expectation& expected, const fuzz::PlanMemory& memory,
                        fuzz::JudgedCounts& counts) {
  std::string found = memory.find_damage();
  const std::vector<Tensor> outputs = memory.outputs(), inputs = memory.inputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string wrong = fuzz::compare(expected.outputs[i], outputs[i], counts);
    if (!wrong.empty()) found += concat("output ", i, ": ", wrong, "\n");
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    // One that no kernel reads has no memory.
    const std::string wrong =
        inputs[i].defined() ? fuzz::compare(expected.inputs[i], inputs[i], counts) : "";
    if (!wrong.empty()) found += concat("input ", i, " afterwards: ", wrong, "\n");
  }
  return found;
}

void run(const HostRun& given, const HostLibrary& library) {
  const fuzz::Expectation expected = fuzz::expect(given.golden->given);
  const std::vector<Tensor> inputs = fuzz::make_inputs(given.golden->given);
  const schedule::Plan& plan = given.planned.plan;
  for (const bool is_backwards : {false, true}) {
    SCOPED_TRACE(is_backwards ? "backwards" : "forwards");
    const fuzz::PlanMemory memory(plan, given.planned.graph, inputs, fuzz::Edge::start);
    for (size_t i = 0; i < plan.calls.size(); ++i) {
      for (const schedule::KernelRun& one : schedule::runs_of(plan.calls[i])) {
        std::vector<int64_t> sizes;
        for (const expr::Expr& size : one.sizes) sizes.push_back(size->integer);
        const int status = library.run(given.texts[i], memory.arguments(one.buffers), sizes,
                                       {.is_backwards = is_backwards});
        EXPECT_EQ(status, 0) << given.texts[i].source;
      }
    }
    fuzz::JudgedCounts counts;
    EXPECT_EQ(differences(expected, memory, counts), "");
    // A judgment of fewer elements would be no test.
    EXPECT_LE(counts.not_judged, counts.elements / 4);
  }
}

}  // namespace

void add_host_tests(std::span<const GoldenGraph> set) {
  if (!codegen::has_host_compiler()) {
    return add_test("GoldenOnHost", "AllOfThem",
                    [] { GTEST_SKIP() << "no C++ compiler on this machine"; });
  }
  // Made when the first of these tests runs, lest the others wait for it.
  const auto made = [set, kept = std::make_shared<std::unique_ptr<HostSet>>()]() -> HostSet& {
    if (*kept == nullptr) *kept = std::make_unique<HostSet>(set);
    return **kept;
  };
  add_test("GoldenOnHost", "AtLeastForty", [=] { EXPECT_GE(made().size(), 40u); });
  for (const GoldenGraph& golden : set) {
    if (!golden.runs_on_host) continue;
    add_test("GoldenOnHost", golden.name, [=, &golden] {
      const HostRun* found = made().find(golden.name);
      if (found == nullptr) GTEST_SKIP() << "instructions that the host does not have";
      run(*found, made().library());
    });
  }
}

}  // namespace ridge::golden
