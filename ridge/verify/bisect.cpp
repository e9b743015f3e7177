#include "ridge/verify/bisect.h"

#include <algorithm>
#include <optional>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/graph/pass.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/verify/oracle.h"
#include "ridge/verify/repro_text.h"
#include "ridge/verify/verify_kernels.h"
#include "ridge/verify/verify_passes.h"

namespace ridge::verify {
namespace {

using Kind = Blame::Kind;

Tensor random_tensor(const graph::Type& type, SplitMix64& numbers) {
  Tensor tensor = Tensor::empty(type.shape, type.dtype);
  for (int64_t i = 0; i < tensor.numel().value(); ++i) {
    const double real = numbers.uniform(-2, 2);
    store_element(
        type.dtype, tensor.raw_data(), i,
        is_floating(type.dtype) ? expr::Number::of(real) : expr::Number::of(int64_t{real > 0}));
  }
  tensor.impl().is_weak = type.is_weak;
  return tensor;
}

class Bisection {
 public:
  Bisection(Reproduction kept, Trust trust, const Compile& compile)
      : kept_(std::move(kept)),
        compile_(compile),
        knobs_(kept_.knobs, trust),
        reproducing_(kept_.folder) {
    graph::is_disabled("fuse");  // a name in RIDGE_DISABLE that is none is no pass's fault
    blame_.has_random_inputs = kept_.inputs.empty() && !kept_.graph.inputs.empty();
    if (blame_.has_random_inputs) add_random_inputs();
    RIDGE_CHECK(kept_.inputs.size() == kept_.graph.inputs.size(), .code = ErrorCode::value,
                .op = "bisect", .expected = concat(kept_.graph.inputs.size(), " inputs"),
                .given = concat(kept_.inputs.size()));
    expected_ = results_by_reference(kept_.graph, kept_.inputs);
  }

  Blame run() {
    const ScopedKnob plain(Knob::verify, 1);
    const std::string wrong = attempt("");
    if (wrong.empty()) return std::move(blame_);
    blame_.what = wrong;
    blame_.kind = has_results_ ? Kind::unknown : Kind::compiler;
    if (find_pass()) return std::move(blame_);
    find_since();
    const bool is_right_apart = is_right_without("fuse");
    if (is_right_apart) blame_.workaround = "RIDGE_DISABLE=fuse";
    if (blame_.kind == Kind::unknown) find_kernel(is_right_apart);
    return std::move(blame_);
  }

 private:
  // In the strides that the program was made for.
  void add_random_inputs() {
    SplitMix64 numbers(1);
    const InputStrides& strides = kept_.options.input_strides;
    for (size_t i = 0; i < kept_.graph.inputs.size(); ++i) {
      Tensor tensor = random_tensor(kept_.graph[kept_.graph.inputs[i]].type, numbers);
      const bool has_strides = i < strides.size() && strides[i];
      kept_.inputs.push_back(has_strides ? with_strides(tensor, *strides[i]) : std::move(tensor));
    }
  }

  // What is wrong with the results, or the error that there are none; empty if nothing is.
  std::string attempt(const std::string& knobs, std::vector<int32_t> unfused = {}) {
    std::string wrong;
    has_results_ = true;
    try {
      wrong = difference(kept_.graph, kept_.inputs, expected_, results(std::move(unfused)));
    } catch (const Error& error) {
      wrong = error.what();
      has_results_ = false;
    }
    blame_.trials.push_back({knobs, wrong});
    return wrong;
  }

  std::unique_ptr<Candidate> compiled(std::vector<int32_t> unfused) const {
    graph::GraphOptions options = kept_.options;
    options.unfused = std::move(unfused);
    return compile_(kept_.graph, options);
  }

  std::vector<Tensor> inputs_there() const {
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < kept_.inputs.size(); ++i) {
      const Device device = kept_.graph[kept_.graph.inputs[i]].type.device;
      inputs.push_back(to_device(host_copy(kept_.inputs[i]), device));
    }
    return inputs;
  }

  // Outputs, then inputs, on the host.
  std::vector<Tensor> results(std::vector<int32_t> unfused) const {
    const auto program = compiled(std::move(unfused));
    const std::vector<Tensor> inputs = inputs_there();
    std::vector<const Tensor*> given;
    for (const Tensor& input : inputs) given.push_back(&input);
    std::vector<Tensor> results = program->run(given);
    results.insert(results.end(), inputs.begin(), inputs.end());
    for (Tensor& result : results) result = host_copy(result);
    return results;
  }

  bool is_right_without(const std::string& stage) {
    const std::string before = knob_text(Knob::disable);
    const ScopedKnob disable(Knob::disable, before.empty() ? stage : before + "," + stage);
    return attempt("RIDGE_DISABLE=" + stage).empty();
  }

  // Either it throws, or the reference gives other results after it.
  bool find_pass() {
    graph::PassContext context;
    graph::Graph graph = kept_.graph;
    for (const graph::Pass& pass : graph::standard_passes()) {
      try {
        graph = graph::run_passes(std::move(graph), std::span(&pass, 1), context);
      } catch (const Error& error) {
        return blame(pass, error.what());
      }
    }
    try {
      check_passes(kept_.graph, kept_.inputs);
    } catch (const WrongPass& error) {
      return blame(graph::find_pass(error.pass), error.given());
    }
    return false;
  }

  bool blame(const graph::Pass& pass, const std::string& what) {
    blame_.kind = Kind::pass;
    blame_.culprit = pass.name;
    blame_.what = what;
    const bool helps = pass.is_optional && is_right_without(blame_.culprit);
    if (helps) blame_.workaround = "RIDGE_DISABLE=" + blame_.culprit;
    return true;
  }

  void find_since() {
    int64_t ran = 0;
    for (const graph::Pass& pass : graph::standard_passes()) {
      if (!pass.is_optional || graph::is_disabled(pass.name)) continue;
      const ScopedKnob stop(Knob::stop_after, ran++);
      // Wrong without it, so it is not the first that matters.
      if (!attempt(concat("RIDGE_STOP_AFTER=", ran - 1)).empty()) {
        if (ran == 1) return;  // wrong without any of them
        continue;
      }
      blame_.since = pass.name;
    }
  }

  void find_kernel(bool is_right_apart) {
    std::optional<ScopedKnob> apart;
    const std::string before = knob_text(Knob::disable);
    // The kernel of one op says more than one that others are fused into.
    if (!is_right_apart) {
      apart.emplace(Knob::disable, before.empty() ? "fuse" : before + ",fuse");
    }
    const auto program = compiled({});
    const std::vector<Tensor> inputs = inputs_there();
    std::vector<const Tensor*> given;
    for (const Tensor& input : inputs) given.push_back(&input);
    const ScopedKnob checks(Knob::verify, kVerifyKernels);
    try {
      program->run_kernels(given);
    } catch (const WrongKernel& error) {
      blame(*program, error);
      if (is_right_apart && blame_.kind == Kind::kernel) find_fusion(*program, error.call);
    } catch (const Error& error) {
      // In a part of control flow, which knows its kernels itself.
      blame_.kind = Kind::kernel;
      blame_.culprit = error.op();
      blame_.what = concat(error.given(), ", expected ", error.expected());
    }
  }

  void blame(const Candidate& program, const WrongKernel& error) {
    const schedule::KernelCall& call = program.plan()->calls[error.call];
    blame_.kind = error.is_overwritten ? Kind::memory : Kind::kernel;
    blame_.culprit = call.kernel.name;
    blame_.ops = schedule::ops_of(call, program.graph());
    for (const std::string& line : schedule::lines_of(call, program.graph())) {
      blame_.lines.push_back(line);
    }
    blame_.what = concat(error.given(), ", expected ", error.expected());
  }

  // The first op of the kernel without which the rest of it is right.
  void find_fusion(const Candidate& program, size_t call) {
    blame_.kind = Kind::fusion;
    const ScopedKnob plain(Knob::verify, 1);
    const std::vector<int32_t>& nodes = program.plan()->calls[call].nodes;
    for (const int32_t node : nodes) {
      const graph::Node& one = program.graph().nodes[static_cast<size_t>(node)];
      const std::string apart =
          concat(one.op->name(), " (%", one.results[0].index, ") in a kernel of its own");
      if (!attempt(apart, {node}).empty()) continue;
      blame_.what += concat("; right with ", apart);
      return;
    }
  }

  Reproduction kept_;
  const Compile& compile_;
  RecordedKnobs knobs_;
  Reproducing reproducing_;  // or each attempt that fails would leave a folder
  std::vector<Tensor> expected_;
  Blame blame_;
  bool has_results_ = true;  // of the last attempt
};

std::string_view sentence(Kind kind) {
  switch (kind) {
    case Kind::nothing: return "nothing is wrong";
    case Kind::pass: return "wrong pass";
    case Kind::fusion: return "wrong when fused";
    case Kind::kernel: return "wrong kernel";
    case Kind::memory: return "memory overwritten before it is read by";
    case Kind::compiler: return "no program";
    case Kind::unknown: return "wrong, though each step is right by itself";
  }
  return "";
}

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::nothing: return "nothing";
    case Kind::pass: return "pass";
    case Kind::fusion: return "fusion";
    case Kind::kernel: return "kernel";
    case Kind::memory: return "memory";
    case Kind::compiler: return "compiler";
    case Kind::unknown: return "unknown";
  }
  return "";
}

Blame bisect(Reproduction reproduction, Trust trust, const Compile& compile) {
  return Bisection(std::move(reproduction), trust, compile).run();
}

std::string to_text(const Blame& blame) {
  std::string text(sentence(blame.kind));
  if (!blame.culprit.empty()) text += ": " + blame.culprit;
  text += "\n";
  const auto line = [&](std::string_view title, const std::string& content) {
    if (!content.empty()) text += concat("  ", title, ": ", content, "\n");
  };
  line("computes", join(blame.ops, ", "));
  line("for", join(blame.lines, ", "));
  line("gives", blame.what);
  line("comes up since", blame.since);
  line("go on with", blame.workaround);
  if (blame.has_random_inputs) line("inputs", "random, since none were kept");
  for (const Blame::Trial& trial : blame.trials) {
    line(trial.knobs.empty() ? "as recorded" : trial.knobs,
         trial.wrong.empty() ? "right" : "wrong");
  }
  return text;
}

}  // namespace ridge::verify
