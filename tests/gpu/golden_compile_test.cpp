#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "tests/gpu/golden_tests.h"
#include "tests/nvrtc_checks.h"

namespace ridge::golden {
namespace {

using codegen::CudaKernel;
using runtime::cuda::CompiledCuda;

// Where kernels are to run: each is scheduled for the sheet of such a device.
struct Place {
  const char* sheet;
  int arch;
  const char* nvrtc_arch;
  int64_t shared_bytes;  // that a block may have
};
constexpr Place kHopper{"h200", 90, "sm_90a", 227 * 1024};
constexpr Place kPlaces[] = {
    kHopper, {"a100-80", 80, "sm_80", 163 * 1024}, {"b200", 100, "sm_100", 227 * 1024}};
constexpr int64_t kRegisters = 65536;  // of a multiprocessor

bool compiles_nothing(const Place& place) {
  try {
    runtime::cuda::compile_cuda("", {.arch = place.nvrtc_arch});
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::value) return false;
    throw;
  }
}

// Asked for each graph, found out once.
bool is_known_to_nvrtc(const Place& place) {
  static std::map<std::string, bool> known;
  const auto [entry, is_first] = known.try_emplace(place.nvrtc_arch);
  if (is_first) entry->second = compiles_nothing(place);
  return entry->second;
}

std::vector<Resources> compiled(const GoldenGraph& golden, const Place& place) {
  std::vector<Resources> all;
  for (const CudaKernel& kernel :
       texts_of(plan_for(golden, place.sheet).plan, {.arch = place.arch})) {
    SCOPED_TRACE(concat(place.nvrtc_arch, "\n", kernel.source));
    const CompiledCuda code = runtime::cuda::compile_cuda(kernel.source, {.name = kernel.symbol,
                                                                          .arch = place.nvrtc_arch,
                                                                          .is_self_contained = true,
                                                                          .want_usage = true});
    EXPECT_EQ(runtime::cuda::complaints(code.log, golden.keeps_frame), "");
    EXPECT_EQ(code.usage.size(), 1u) << code.log;
    if (code.usage.size() != 1) continue;
    all.push_back({.threads = kernel.threads,
                   .registers = code.usage[0].registers,
                   .shared_bytes = code.usage[0].shared_bytes + kernel.dynamic_shared_bytes});
    // ptxas gives registers out by eight.
    EXPECT_LE((all.back().registers + 7) / 8 * 8 * kernel.threads, kRegisters);
    EXPECT_LE(all.back().shared_bytes, place.shared_bytes);
  }
  return all;
}

void check(const GoldenGraph& golden, const ResourceTable& table, ResourceTable* blessed) {
  for (const Place& place : kPlaces) {
    if (!is_known_to_nvrtc(place)) continue;
    const std::vector<Resources> given = compiled(golden, place);
    if (place.sheet != kHopper.sheet) continue;
    if (blessed != nullptr) {
      blessed->rows[golden.name] = given;
    } else if (table.nvrtc_version == runtime::cuda::nvrtc_availability().version) {
      const auto row = table.rows.find(golden.name);
      EXPECT_EQ(row == table.rows.end() ? "" : to_text(row->second, golden.name),
                to_text(given, golden.name))
          << "if it is meant: ridge_gpu_tests --bless";
    }
  }
}

}  // namespace

void add_compile_tests(std::span<const GoldenGraph> set, const std::filesystem::path& path,
                       ResourceTable* blessed) {
  if (!runtime::cuda::nvrtc_availability().is_available) {
    return add_test("GoldenCompile", "AllOfThem", [] { RIDGE_NEEDS_NVRTC(); });
  }
  const auto table = std::make_shared<const ResourceTable>(read_table(path));
  for (const GoldenGraph& golden : set) {
    add_test("GoldenCompile", golden.name, [=, &golden] { check(golden, *table, blessed); });
  }
  if (blessed != nullptr) return;
  add_test("GoldenCompile", "TheTableHasNoOthers", [=] {
    EXPECT_GE(set.size(), 60u);
    for (const auto& [name, kernels] : table->rows) {
      const auto is_it = [&](const GoldenGraph& golden) { return golden.name == name; };
      EXPECT_TRUE(std::any_of(set.begin(), set.end(), is_it)) << name;
    }
  });
}

}  // namespace ridge::golden
