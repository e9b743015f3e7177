// What generate promises beyond the code itself.
#include <thread>

#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::generate_test {
namespace {

TEST(CodegenGenerate, SameKernelSameBytes) {
  const std::string_view text = R"(kernel same(x: f32[n] in, out: f32[n] out; n) {
  for i0 in n @cpu_thread {
    for i1 in 40 @vector {
      let v0: f32 = sin(x[i0]) + exp(x[i1]) * select(x[i1] < 0.0, tanh(x[i0 % 5]), 1.0)
      out[i1] = v0
    }
  }
}
)";
  const loop::Kernel kernel = loop::parse(text);
  const Generated first = generate(kernel, host_target(), true);
  const Generated second = generate(loop::parse(text), host_target());
  EXPECT_EQ(first.object, second.object);
  const Generated again = generate_from_ir(first.ir, first.symbol, host_target());
  EXPECT_FALSE(again.object.empty());
  EXPECT_NE(assembly(kernel, host_target()).find("same"), std::string::npos);
}

TEST(CodegenGenerate, FromManyThreads) {
  const std::string_view text = R"(kernel shared(x: f32[n] in, out: f32[n] out; n) {
  for i0 in n @vector {
    let v0: f32 = cos(x[i0])
    out[i0] = v0
  }
}
)";
  const loop::Kernel kernel = loop::parse(text);
  const std::string expected = generate(kernel, host_target()).object;
  std::vector<std::string> objects(4);
  std::vector<std::thread> threads;
  for (std::string& object : objects) {
    threads.emplace_back([&] { object = generate(kernel, host_target()).object; });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& object : objects) EXPECT_EQ(object, expected);
}

TEST(CodegenGenerate, SaysWhatItDoesNotGenerate) {
  const auto reason = [](std::string_view text) { return can_generate(loop::parse(text)).reason; };
  const Decision fine = can_generate(loop::parse("kernel nothing(x: f32[n] in; n) {\n}\n"));
  EXPECT_TRUE(fine.verdict);
  EXPECT_NE(
      reason("kernel gpu(out: f32[n] out; n) {\n  for i0 in n @gpu_block {\n    let v0: f32 = 1.0\n"
             "    out[i0] = v0\n  }\n}\n")
          .find("gpu_block"),
      std::string::npos);
  EXPECT_NE(reason("kernel k() {\n  tile t: bf16[8, 8]\n}\n").find("is of bf16"),
            std::string::npos);
  EXPECT_NE(reason("kernel words(x: i16[n] in; n) {\n}\n").find("i16"), std::string::npos);
}

}  // namespace
}  // namespace ridge::codegen::generate_test
