#include "ridge/runtime/cpu/loader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::runtime::loader_test {
namespace {

codegen::Generated object_of(std::string_view body) {
  const std::string text =
      "define void @entry(ptr %buffers, ptr %sizes, ptr %runtime, ptr %status) {\n" +
      std::string(body) + "\n  ret void\n}\n";
  return codegen::generate_from_ir(text + "declare double @sin(double)\ndeclare void @system()\n",
                                   "entry", codegen::host_target());
}

bool is_mapped(KernelFunction function) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  const auto address = reinterpret_cast<uintptr_t>(function);
  while (std::getline(maps, line)) {
    std::istringstream fields(line);
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char dash = 0;
    fields >> std::hex >> begin >> dash >> end;
    if (begin <= address && address < end) return true;
  }
  return false;
}

TEST(LoadedKernel, RunsAndGoesAway) {
  const auto object = object_of("  store i32 42, ptr %status");
  const size_t before = loaded_kernel_count();
  auto kernel = LoadedKernel::load(object.object, object.symbol);
  auto other = LoadedKernel::load(object.object, object.symbol);  // the same name again
  EXPECT_EQ(loaded_kernel_count(), before + 2);
  int32_t status = 0;
  kernel->function()(nullptr, nullptr, &kernel_runtime(), &status);
  EXPECT_EQ(status, 42);
  const KernelFunction function = kernel->function();
  EXPECT_NE(function, other->function());
  EXPECT_TRUE(is_mapped(function));
  kernel.reset();
  EXPECT_FALSE(is_mapped(function));
  EXPECT_EQ(loaded_kernel_count(), before + 1);
  status = 0;
  other->function()(nullptr, nullptr, &kernel_runtime(), &status);
  EXPECT_EQ(status, 42);
}

TEST(LoadedKernel, ImportsOnlyWhatIsListed) {
  const auto good = object_of(
      "  %x = load double, ptr %sizes\n  %y = call double @sin(double %x)\n"
      "  store double %y, ptr %buffers");
  const auto kernel = LoadedKernel::load(good.object, good.symbol);
  double x = 1.25;
  double y = 0;
  kernel->function()(reinterpret_cast<void**>(&y), reinterpret_cast<const int64_t*>(&x), nullptr,
                     nullptr);
  EXPECT_EQ(y, std::sin(1.25));

  const size_t before = loaded_kernel_count();
  const auto bad = object_of("  call void @system()");
  try {
    LoadedKernel::load(bad.object, bad.symbol);
    ADD_FAILURE() << "an import that is not listed was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_NE(std::string(error.what()).find("system"), std::string::npos) << error.what();
  }
  EXPECT_EQ(loaded_kernel_count(), before);
}

TEST(LoadedKernel, RefusesWhatIsNoObject) {
  const auto object = object_of("");
  EXPECT_THROW(LoadedKernel::load("no object at all", "entry"), Error);
  EXPECT_THROW(LoadedKernel::load("", "entry"), Error);
  EXPECT_THROW(LoadedKernel::load(object.object, "another"), Error);
  EXPECT_THROW(codegen::generate_from_ir("define void", "x", codegen::host_target()), Error);
  EXPECT_THROW(codegen::generate_from_ir("declare void @x()", "x", codegen::host_target()), Error);
}

TEST(LoadedKernel, LoadsFromManyThreads) {
  const auto object = object_of("  store i32 7, ptr %status");
  const size_t before = loaded_kernel_count();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const auto kernel = LoadedKernel::load(object.object, object.symbol);
        int32_t status = 0;
        kernel->function()(nullptr, nullptr, nullptr, &status);
        ASSERT_EQ(status, 7);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(loaded_kernel_count(), before);
}

}  // namespace
}  // namespace ridge::runtime::loader_test
