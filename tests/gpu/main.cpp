// ridge_gpu_tests: the golden set of kernels for a GPU, compiled, run as text, and run; and the runtime
// on a GPU.
//
//   ridge_gpu_tests --gtest_filter='GoldenCompile*'      needs NVRTC
//   ridge_gpu_tests --gtest_filter='GoldenOnHost*'       needs a C++ compiler
//   ridge_gpu_tests --gtest_filter='GoldenOnGpu*'        needs a GPU
//   ridge_gpu_tests --gtest_filter='TileKernels*'        golden kernels over tiles: needs a GPU
//   ridge_gpu_tests --gtest_filter='-Golden*:TileKernels*'    the runtime: needs a GPU
//   ridge_gpu_tests --bless                              writes the table of resources anew
//   ridge_gpu_tests --golden=FOLDER                      the set, where it is not in the sources
//   ridge_gpu_tests --tile-kernel=NAME                   checks one kernel over tiles, in this process
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "ridge/base/knobs.h"
#include "ridge/graph/recorder.h"
#include "ridge/ridge.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "tests/gpu/golden_tests.h"
#include "tests/gpu/tile_kernel_checks.h"
#include "tests/unit/codegen/cuda/tile_samples.h"

namespace {

using namespace ridge;

int run(int argc, char** argv) {
  check_environment();
  graph::install_recorder();
  std::filesystem::path folder = std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/golden/gpu";
  bool blesses = false;
  std::string tile_kernel;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--golden=")) {
      folder = argument.substr(9);
      codegen::tiles_folder() = folder.parent_path() / "tiles";
    } else if (argument.starts_with("--tile-kernel=")) {
      tile_kernel = argument.substr(14);
    } else if (argument == "--bless") {
      blesses = true;
    } else {
      std::fprintf(stderr, "expected --bless, --golden=FOLDER or --tile-kernel=NAME, given %s\n",
                   argv[i]);
      return 2;
    }
  }
  if (!tile_kernel.empty()) return golden::check_tile_kernel(tile_kernel);
  if (!blesses) golden::add_tile_kernel_tests(folder);
  const std::vector<golden::GoldenGraph> set = golden::read_golden(folder);
  golden::ResourceTable blessed{.nvrtc_version = runtime::cuda::nvrtc_availability().version};
  golden::add_compile_tests(set, folder / "resources.txt", blesses ? &blessed : nullptr);
  if (!blesses) golden::add_host_tests(set);
  if (!blesses) golden::add_gpu_tests(set);
  const int failed = RUN_ALL_TESTS();
  // Of some of them it would lose the rest.
  if (blesses && blessed.rows.size() == set.size()) {
    golden::write_table(blessed, folder / "resources.txt");
  } else if (blesses) {
    std::fprintf(stderr, "the table stays as it was: not every graph was compiled\n");
    return 1;
  }
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridge_gpu_tests: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
