// Random programs of views and writes: what they compute and leave behind is what they do eagerly.
#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/window.h"
#include "ridge/ridge.h"

namespace ridge::graph::functionalize_test {
namespace {

const bool kInstalled = (install_recorder(), true);

// The same calls for the same seed, on whatever tensors it is given.
class Program {
 public:
  Program(uint64_t seed, std::vector<Tensor> inputs) : random_(seed), pool_(std::move(inputs)) {}

  std::vector<Tensor> run() {
    for (int i = 0; i < 14; ++i) step();
    std::vector<Tensor> outputs;
    for (int i = 0; i < 4; ++i) outputs.push_back(any());
    return outputs;
  }

 private:
  uint64_t draw(uint64_t count) { return random_.next() % count; }
  Tensor any() { return pool_[draw(pool_.size())]; }

  void step() {
    switch (draw(3)) {
      case 0: pool_.push_back(view(any())); break;
      case 1: pool_.push_back(computed(any())); break;
      case 2: write(any()); break;
    }
  }

  Tensor view(const Tensor& x) {
    if (x.rank() == 0) return unsqueeze(x, 0);
    const auto dim = static_cast<int64_t>(draw(static_cast<uint64_t>(x.rank())));
    const int64_t size = x.size(dim).value();
    switch (draw(10)) {
      case 0: return select(x, dim, static_cast<int64_t>(draw(static_cast<uint64_t>(size))));
      case 1: return slice(x, dim, static_cast<int64_t>(draw(static_cast<uint64_t>(size))));
      case 2: return slice(x, dim, 0, kEnd, 2);
      case 3: return slice(x, dim, kEnd, -kEnd, -1);  // a copy: strides are never negative
      case 4: return transpose(x, 0, dim);
      case 5: return x.rank() == 3 ? permute(x, {1, 2, 0}) : flatten(x, 0, -1);
      case 6: return unsqueeze(x, dim);
      case 7: return squeeze(x, {});
      case 8: return size % 2 == 0 ? windows(x, dim, 2, 2, 1) : detach(x);
      case 9: {
        Shape kept(x.shape().size() + 1, -1);
        kept[0] = 1;
        return expand(x, kept);
      }
    }
    return x;
  }

  Tensor computed(const Tensor& x) {
    switch (draw(4)) {
      case 0: return x * 2 + 1;
      case 1: return sum(x, {}, false);
      case 2: return clone(x) - x;
      case 3: return cast(x, f64);
    }
    return x;
  }

  void write(const Tensor& x) {
    if (x.may_overlap_itself()) return;
    switch (draw(6)) {
      case 0: add_(x, 1); break;
      case 1: mul_(x, x); break;
      case 2: copy_(x, sum(any())); break;
      case 3: zero_(x); break;
      case 4: add_(x, select(flatten(any()), 0, 0)); break;
      case 5: copy_(x, flip(x, {})); break;
    }
  }

  SplitMix64 random_;
  std::vector<Tensor> pool_;
};

std::vector<Tensor> inputs() {
  return {cast(reshape(arange(24), {2, 3, 4}), f32) * 0.25, Tensor::of<float>({3, -1, 2, 5}, {4}),
          Tensor::of<float>({7}, {})};
}

void expect_equal(const Tensor& a, const Tensor& b, const std::string& text) {
  ASSERT_EQ(describe(a), describe(b)) << text;
  EXPECT_EQ(a.to_vector<double>(), b.to_vector<double>()) << text;
}

TEST(Functionalize, RandomProgramsLeaveTheSameBehind) {
  const dispatch::IncludeKeys by_reference(dispatch::Key::reference);  // one kernel for all
  int with_updates = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const std::vector<Tensor> eager = inputs();
    const std::vector<Tensor> expected = Program(seed, eager).run();

    Graph graph;
    Recorder recorder(graph);
    std::vector<Tensor> fakes;
    for (const Tensor& t : eager) fakes.push_back(recorder.input({t.dtype(), t.shape()}));
    {
      const Recorder::Scope scope(recorder);
      for (const Tensor& t : Program(seed, fakes).run()) {
        graph.outputs.push_back(recorder.id(t));
      }
    }
    verify(graph);
    const PassContext context;
    const Graph functional = functionalize(graph, context);
    verify(functional);
    EXPECT_TRUE(is_functional(functional));
    for (const Value& value : functional.values) EXPECT_FALSE(value.alias.has_value());
    with_updates += functional.updates.empty() ? 0 : 1;

    const std::string text = to_text(graph) + to_text(functional);
    for (const Graph* run : {static_cast<const Graph*>(&graph), &functional}) {
      const std::vector<Tensor> given = inputs();
      const std::vector<Tensor> outputs = replay(*run, given);
      for (size_t i = 0; i < outputs.size(); ++i) expect_equal(outputs[i], expected[i], text);
      for (size_t i = 0; i < given.size(); ++i) expect_equal(given[i], eager[i], text);
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(with_updates, 100);
}

TEST(Functionalize, ARandomStateIsAnOrdinaryUpdate) {
  Graph graph;
  Recorder recorder(graph);
  Generator generator(7, 0);
  const Tensor real_state = clone(generator.state);
  generator.state = recorder.input({i64, {3}}, "state");
  {
    const Recorder::Scope scope(recorder);
    const Tensor a = uniform({4}, generator);
    const Tensor b = uniform({4}, generator);
    graph.outputs = {recorder.id(a), recorder.id(b)};
  }
  PassContext context;
  const Graph optimized = run_passes(graph, standard_passes(), context);
  ASSERT_EQ(optimized.updates.size(), 1U);
  Generator eager(7, 0);
  const Tensor a = uniform({4}, eager), b = uniform({4}, eager);
  const std::vector<Tensor> drawn = replay(optimized, std::vector<Tensor>{real_state});
  EXPECT_EQ(drawn[0].to_vector<float>(), a.to_vector<float>());
  EXPECT_EQ(drawn[1].to_vector<float>(), b.to_vector<float>());
  EXPECT_NE(drawn[0].to_vector<float>(), drawn[1].to_vector<float>());
  EXPECT_EQ(real_state.to_vector<int64_t>(), eager.state.to_vector<int64_t>());
}

}  // namespace
}  // namespace ridge::graph::functionalize_test
