// Kernels shared by programs, kernels edited by hand, and why a function was compiled again.
#include "ridge/linker/kernel_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ridge/base/knobs.h"
#include "ridge/driver/compiled_report.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::kernel_cache_test {
namespace {

template <class F>
std::string logged(F&& f) {
  std::string text;
  set_log_callback([&](LogLevel, std::string_view, std::string_view message) { text += message; });
  f();
  set_log_callback(nullptr);
  return text;
}

struct Layer {
  Tensor weight;
  std::vector<Tensor> rest;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("rest", self.rest);
  }
};

TEST(CompileAgain, TheReasonNamesTheLeafThatDiffers) {
  const ScopedKnob debug(Knob::debug, 1);
  const auto f = compile([](const Layer& layer, const Tensor& x) { return x * layer.weight; },
                         {.name = "f", .argument_names = {"layer", "x"}});
  const Layer layer{ones({3}), {ones({1}), ones({2})}};
  EXPECT_EQ(logged([&] { f(layer, ones({3})); }).find("again"), std::string::npos);
  const std::string text = logged([&] { f(layer, ones({2, 3})); });
  EXPECT_NE(text.find("because x: f32[3] before, f32[2, 3] now"), std::string::npos) << text;
  const Layer other{ones({3}), {ones({1}), ones({4})}};
  const std::string leaf = logged([&] { f(other, ones({2, 3})); });
  EXPECT_NE(leaf.find("layer.rest.1: f32[2] before, f32[4] now"), std::string::npos) << leaf;
}

#if RIDGE_HAS_LLVM

template <class F>
std::vector<std::string> kernel_names(const Compiled<F>& compiled) {
  std::vector<std::string> names;
  for (const auto& row : driver::rows_of(*compiled.programs().back()->compiled)) {
    names.push_back(row.name);
  }
  return names;
}

TEST(KernelNames, AProgramNamesSharedKernelsAfterItsOwnOps) {
  const auto square_of = compile([](const Tensor& x) { return square(x); });
  const auto product = compile([](const Tensor& x) { return x * x; });
  square_of(ones({7, 3}));
  product(ones({7, 3}));
  EXPECT_NE(kernel_names(square_of)[0].find("square"), std::string::npos);
  EXPECT_EQ(kernel_names(product)[0].substr(0, 4), "mul_");
}

TEST(KernelNames, CopiesOfDifferentSizesDiffer) {
  const auto cloned = compile([](const Tensor& x) { return clone(x); });
  cloned(ones({7}));
  const std::string small = kernel_names(cloned)[0];
  cloned(ones({8}));
  EXPECT_EQ(small.substr(0, 9), "copy_f32_");
  EXPECT_NE(small, kernel_names(cloned)[0]);
}

class Override : public ::testing::Test {
 protected:
  Override() { std::filesystem::create_directories(folder_); }
  ~Override() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(std::filesystem::path(folder_) / name) << text;
  }
  std::string folder_ =
      std::filesystem::temp_directory_path() / ("ridge_override_test_" + std::to_string(getpid()));
};

// A kernel that no program has, so that it is built while the knob is set.
std::string kernel_text(const std::string& name, const std::string& dtype,
                        const std::string& factor) {
  return "kernel " + name + "(x: " + dtype + "[9] in, y: " + dtype + "[9] out) grain 1 {\n" +
         "  for i0 in 9 @vector {\n    let v0: " + dtype + " = x[i0]\n    let v1: " + dtype +
         " = v0 * " + factor + "\n    y[i0] = v1\n  }\n}\n";
}

TEST_F(Override, AnEditedLoopRuns) {
  const loop::Kernel kernel = loop::parse(kernel_text("edited_by_hand", "f32", "0.015625"));
  write("edited_by_hand.loop", kernel_text("edited_by_hand", "f32", "2.0"));
  const ScopedKnob edited(Knob::override, folder_);
  const loop::Kernel* wanted = &kernel;
  const auto built = linker::build_cpu({&wanted, 1});
  std::vector<float> x(9, 3), y(9, 0);
  void* buffers[] = {x.data(), y.data()};
  int32_t status = 0;
  built[0]->function(buffers, nullptr, nullptr, &status);
  EXPECT_EQ(y, std::vector<float>(9, 6));
}

TEST_F(Override, OneWithOtherArgumentsIsRefused) {
  const loop::Kernel kernel = loop::parse(kernel_text("edited_badly", "f32", "0.0078125"));
  write("edited_badly.loop", kernel_text("edited_badly", "f64", "2.0"));
  const ScopedKnob edited(Knob::override, folder_);
  const loop::Kernel* wanted = &kernel;
  try {
    linker::build_cpu({&wanted, 1});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    EXPECT_NE(error.op().find("edited_badly.loop"), std::string::npos) << error.op();
    EXPECT_NE(error.given().find("f64 in"), std::string::npos) << error.given();
  }
}

#endif

}  // namespace
}  // namespace ridge::kernel_cache_test
