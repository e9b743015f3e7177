#include "ridge/driver/reproduce.h"

#include "ridge/driver/pipeline.h"

namespace ridge::driver {
namespace {

class CompiledCandidate final : public verify::Candidate {
 public:
  CompiledCandidate(const graph::Graph& graph, const GraphOptions& options)
      : compiled_(graph, options) {}

  std::vector<Tensor> run(std::span<const Tensor* const> inputs) const override {
    return compiled_.run(inputs);
  }
  std::vector<Tensor> run_kernels(std::span<const Tensor* const> inputs) const override {
    const execute::CompiledProgram* program = compiled_.program();
    return program != nullptr ? program->run(inputs) : compiled_.run(inputs);
  }
  const graph::Graph& graph() const override { return compiled_.graph(); }
  const schedule::Plan* plan() const override {
    return compiled_.program() != nullptr ? &compiled_.plan() : nullptr;
  }

 private:
  CompiledGraph compiled_;
};

std::unique_ptr<verify::Candidate> compile_candidate(const graph::Graph& graph,
                                                     const GraphOptions& options) {
  return std::make_unique<CompiledCandidate>(graph, options);
}

}  // namespace

bool reproduce(const std::string& folder, verify::Trust trust) {
  return verify::reproduce(folder, trust, compile_candidate);
}

verify::Blame bisect(verify::Reproduction reproduction, verify::Trust trust) {
  return verify::bisect(std::move(reproduction), trust, compile_candidate);
}

}  // namespace ridge::driver
