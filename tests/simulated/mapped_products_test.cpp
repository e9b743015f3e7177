// Products in tiles of a mapping, from user code down to the interpreter: RIDGE_LIBRARY=never.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ridge/base/knobs.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"
#include "simulated_gpu.h"

namespace ridge::testing::mapped_products_test {
namespace {

class SimulatedProducts : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }

 private:
  ScopedKnob library_{Knob::library, "never"};
};

Tensor numbers(const Shape& shape, uint64_t seed, DType dtype = bf16) {
  Generator generator(seed);
  return uniform(shape, generator, -1.0, 1.0, dtype);
}
Tensor there(const Tensor& tensor) { return to_device(tensor, kSimulated); }

// Every element, against f64 sums of the same operands rounded once, with the room that sums in f32 and
// functions of 16-bit values take.
void expect_near(const Tensor& given, const Tensor& exact, double magnitude) {
  ASSERT_EQ(given.shape(), exact.shape());
  const auto ours = given.to_vector<double>(), theirs = exact.to_vector<double>();
  for (size_t i = 0; i < ours.size(); ++i) {
    const double room = epsilon(given.dtype()) * std::abs(theirs[i]) + 0x1p-12 * magnitude;
    ASSERT_NEAR(ours[i], theirs[i], room) << i;
  }
}

Tensor in_f64(const Tensor& x) { return cast(x, f64); }

template <class F>
std::vector<const schedule::KernelCall*> calls_of(const F& compiled) {
  std::vector<const schedule::KernelCall*> calls;
  for (const auto& program : compiled.programs()) {
    for (const driver::CompiledGraph* part : program->compiled->parts()) {
      for (const schedule::KernelCall& call : part->plan().calls) calls.push_back(&call);
    }
  }
  return calls;
}

// So many products are mapped, and there are so many other kernels.
template <class F>
void expect_kernels(const F& compiled, int products, int others) {
  std::string text;
  int mapped = 0, rest = 0;
  for (const schedule::KernelCall* call : calls_of(compiled)) {
    ++(call->mapped ? mapped : rest);
    text += call->kernel.name + "\n";
    for (const Decision& decision : call->decisions) text += "  " + decision.to_text() + "\n";
  }
  EXPECT_EQ(mapped, products) << text;
  EXPECT_EQ(rest, others) << text;
}

TEST_F(SimulatedProducts, AllOrdersOfOperands) {
  struct Case {
    int64_t m, n, k;
  };
  for (const DType dtype : {bf16, f16}) {
    for (const Case& s : {Case{72, 40, 48}, {136, 264, 72}, {8, 200, 136}}) {
      for (const bool lhs_by_columns : {false, true}) {
        for (const bool rhs_by_columns : {false, true}) {
          const Tensor a = numbers(lhs_by_columns ? Shape{s.k, s.m} : Shape{s.m, s.k}, 1, dtype);
          const Tensor b = numbers(rhs_by_columns ? Shape{s.n, s.k} : Shape{s.k, s.n}, 2, dtype);
          const auto product = [=](const Tensor& x, const Tensor& y) {
            return matmul(lhs_by_columns ? transpose(x, 0, 1) : x,
                          rhs_by_columns ? transpose(y, 0, 1) : y);
          };
          const auto f = compile(product);
          const Tensor ours = f(there(a), there(b));
          expect_kernels(f, 1, 0);
          expect_near(ours, product(in_f64(a), in_f64(b)), static_cast<double>(s.k));
        }
      }
    }
  }
}

TEST_F(SimulatedProducts, OddResultsAreStoredByElements) {
  const Tensor a = numbers({67, 64}, 1), b = numbers({37, 64}, 2);
  const auto product = [](const Tensor& x, const Tensor& y) {
    return matmul(x, transpose(y, 0, 1));
  };
  const auto f = compile(product);
  const Tensor ours = f(there(a), there(b));
  expect_kernels(f, 1, 0);
  expect_near(ours, product(in_f64(a), in_f64(b)), 64);
}

// Rows of 37 elements start where no bulk copy can: the product keeps its kernel, and says why.
TEST_F(SimulatedProducts, OddOperandsAreRefused) {
  const Tensor a = numbers({64, 37}, 1), b = numbers({37, 64}, 2);
  const auto f = compile([](const Tensor& x, const Tensor& y) { return matmul(x, y); });
  const Tensor ours = f(there(a), there(b));
  expect_kernels(f, 0, 1);
  expect_near(ours, matmul(in_f64(a), in_f64(b)), 37);
  const schedule::KernelCall& call = *calls_of(f).front();
  EXPECT_NE(call.decisions.back().reason.find("bulk copies need 16"), std::string::npos)
      << call.decisions.back().reason;
}

TEST_F(SimulatedProducts, EpiloguesAreFused) {
  const Tensor x = numbers({144, 64}, 1), w = numbers({64, 96}, 2), b = numbers({96}, 3),
               r = numbers({144, 96}, 4);
  const auto layer = [](const Tensor& in, const Tensor& weight, const Tensor& bias,
                        const Tensor& residual) {
    return gelu_tanh(matmul(in, weight) + bias) + residual;
  };
  const auto f = compile(layer);
  const Tensor ours = f(there(x), there(w), there(b), there(r));
  expect_kernels(f, 1, 0);
  expect_near(ours, layer(in_f64(x), in_f64(w), in_f64(b), in_f64(r)), 64);
}

// What backward keeps is a second result.
TEST_F(SimulatedProducts, SeveralResults) {
  const Tensor x = numbers({80, 64}, 1), w = numbers({64, 48}, 2);
  const auto both = [](const Tensor& in, const Tensor& weight) {
    const Tensor sums = matmul(in, weight);
    return std::pair(sums, relu(sums) * 2.0);
  };
  const auto f = compile(both);
  const auto [sums, activated] = f(there(x), there(w));
  expect_kernels(f, 1, 0);
  const Tensor exact = matmul(in_f64(x), in_f64(w));
  expect_near(sums, exact, 64);
  expect_near(activated, relu(exact) * 2.0, 128);
}

TEST_F(SimulatedProducts, BatchesAreLoopsOverTiles) {
  const Tensor a = numbers({2, 3, 40, 64}, 1), b = numbers({2, 3, 64, 72}, 2);
  const auto f = compile([](const Tensor& x, const Tensor& y) { return matmul(x, y); });
  const Tensor ours = f(there(a), there(b));
  expect_kernels(f, 1, 0);
  expect_near(ours, matmul(in_f64(a), in_f64(b)), 64);
}

TEST_F(SimulatedProducts, SumsStayInF32WhereTheResultIs) {
  const Tensor a = numbers({72, 64}, 1), b = numbers({64, 40}, 2);
  const auto product = [](const Tensor& x, const Tensor& y) {
    return matmul(cast(x, f32), cast(y, f32));
  };
  const auto f = compile(product);
  const Tensor ours = f(there(a), there(b));
  expect_kernels(f, 1, 0);
  expect_near(ours, product(in_f64(a), in_f64(b)), 0x1p-8);
}

// Operands of a step: activations by rows, their gradients, both transposed.
TEST_F(SimulatedProducts, GradientsOfALayer) {
  const std::vector<Tensor> given = {numbers({72, 64}, 1), numbers({64, 136}, 2),
                                     numbers({136}, 3)};
  const auto loss = [](const std::vector<Tensor>& t) {
    return sum(cast(gelu_tanh(matmul(t[0], t[1]) + t[2]), f32));
  };
  const auto moved = [&](const std::function<Tensor(const Tensor&)>& move) {
    std::vector<Tensor> result;
    for (const Tensor& tensor : given) result.push_back(move(tensor));
    return result;
  };
  const auto step = compile(grad(loss));
  const std::vector<Tensor> ours = step(moved(there));
  expect_kernels(step, 3, 1);
  const std::vector<Tensor> exact = grad([](const std::vector<Tensor>& t) {
    return sum(gelu_tanh(matmul(t[0], t[1]) + t[2]));
  })(moved(in_f64));
  // The gradient that both products read is rounded to 16 bits.
  for (size_t i = 0; i < ours.size(); ++i) expect_near(ours[i], exact[i], 136 * 16);
}

// Sizes that change keep the mapping: rows are symbols, the pitches are not.
TEST_F(SimulatedProducts, SymbolicRows) {
  const Tensor w = numbers({64, 96}, 2);
  const auto f = compile([](const Tensor& x, const Tensor& weight) { return matmul(x, weight); },
                         {.dynamic = Dynamic::always});
  for (const int64_t rows : {130, 24, 65}) {
    const Tensor x = numbers({rows, 64}, static_cast<uint64_t>(rows));
    expect_near(f(there(x), there(w)), matmul(in_f64(x), in_f64(w)), 64);
  }
}

TEST_F(SimulatedProducts, RidgeMappingTakesAnother) {
  const Tensor a = numbers({136, 64}, 1), b = numbers({64, 128}, 2);
  const auto product = [](const Tensor& x, const Tensor& y) { return matmul(x, y); };
  const auto f = compile(product);
  f(there(a), there(b));
  const std::string name = calls_of(f).front()->kernel.name;
  const std::string wanted = "product wgmma 128x64x64 ping_pong 2 stages 3 group 4";
  const ScopedKnob mapping(Knob::mapping, name + "=" + wanted);
  const auto g = compile(product);
  expect_near(g(there(a), there(b)), matmul(in_f64(a), in_f64(b)), 64);
  const schedule::KernelCall& call = *calls_of(g).front();
  ASSERT_TRUE(call.mapped);
  EXPECT_TRUE(to_text(call.mapped->mapping).starts_with(wanted));
  EXPECT_EQ(call.kernel.name, name);
}

// A kernel for the sums of parts of k, and one that adds them in order and runs the epilogue.
TEST_F(SimulatedProducts, LongKIsCutIntoParts) {
  const Tensor x = numbers({2048, 72}, 1), dy = numbers({2048, 40}, 2), w = numbers({72, 40}, 3);
  const auto update = [](const Tensor& in, const Tensor& gradient, const Tensor& weight) {
    const Tensor product = matmul(transpose(in, 0, 1), gradient);
    return std::pair(weight - 0.5 * product, product);
  };
  const auto f = compile(update);
  const auto [next, product] = f(there(x), there(dy), there(w));
  expect_kernels(f, 1, 1);
  const Tensor exact = matmul(transpose(in_f64(x), 0, 1), in_f64(dy));
  expect_near(product, exact, 64);
  expect_near(next, in_f64(w) - 0.5 * exact, 64);
  const std::string text = to_text(calls_of(f).front()->kernel);
  EXPECT_NE(text.find("role math"), std::string::npos) << text;
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(f(there(x), there(dy), there(w)).first.to_vector<double>(), next.to_vector<double>());
  }
}

// Batches and parts are both loops over tiles.
TEST_F(SimulatedProducts, BatchesOfLongKAreCutToo) {
  const Tensor a = numbers({3, 40, 1024}, 1), b = numbers({3, 1024, 24}, 2);
  const auto product = [](const Tensor& x, const Tensor& y) { return matmul(x, y); };
  const auto f = compile(product);
  expect_near(f(there(a), there(b)), product(in_f64(a), in_f64(b)), 64);
  expect_kernels(f, 1, 1);
}

// What lives inside of the program has rows at multiples of 16 bytes, whatever their length: both products
// that touch it are mapped.
TEST_F(SimulatedProducts, OddRowsInsideOfTheProgramAreApart) {
  const Tensor x = numbers({136, 1024}, 1), w = numbers({1024, 37 + 3}, 2),
               v = numbers({64, 37}, 3);
  const auto layers = [](const Tensor& in, const Tensor& weight, const Tensor& other) {
    const Tensor hidden = matmul(in, slice(weight, 1, 0, 37));
    return std::pair(matmul(softmax(hidden * 0.03125, 1), transpose(other, 0, 1)), sum(hidden));
  };
  const auto f = compile(layers);
  const auto [ours, total] = f(there(x), there(w), there(v));
  const auto [exact, exact_total] = layers(in_f64(x), in_f64(w), in_f64(v));
  expect_near(ours, exact, 64);
  EXPECT_NEAR(total.item<double>(), exact_total.item<double>(), 136 * 37 * 0.5);
  int padded = 0;
  for (const auto& buffer : f.programs().back()->compiled->parts().front()->plan().buffers) {
    const bool is_odd = buffer.shape.size() == 2 && buffer.shape[0].known() == 136 &&
                        buffer.kind == BufferKind::temporary;
    if (is_odd) padded += *buffer.shape[1].known() % 8 == 0 ? 1 : 0;
  }
  EXPECT_GE(padded, 1);
}

}  // namespace
}  // namespace ridge::testing::mapped_products_test
