#include "ridge/runtime/cuda/driver_api.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::runtime::cuda::driver_api_test {
namespace {

// A driver that answers what the test wants.
struct FakeDriver {
  FakeDriver(int version, DriverResult init, int devices) {
    fake_version = version;
    fake_init = init;
    fake_devices = devices;
    api.driver_get_version.set(+[](int* into) {
      *into = fake_version;
      return DriverResult::success;
    });
    api.init.set(+[](unsigned) { return fake_init; });
    api.device_get_count.set(+[](int* into) {
      *into = fake_devices;
      return DriverResult::success;
    });
    api.get_error_name.set(+[](DriverResult, const char** into) {
      *into = "CUDA_ERROR_OF_THE_TEST";
      return DriverResult::success;
    });
  }
  DriverApi api;
  static inline int fake_version;
  static inline DriverResult fake_init;
  static inline int fake_devices;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DriverApi, NamesTheMissingLibrary) {
  DriverApi api;
  LibrarySearch search = driver_search();
  search.names = {"libridge-absent-cuda.so.1"};
  const CudaAvailability found = load_driver(api, search);
  EXPECT_FALSE(found.is_available);
  EXPECT_TRUE(has(found.reason, "libridge-absent-cuda.so.1")) << found.reason;
  EXPECT_TRUE(has(found.reason, "install an NVIDIA driver")) << found.reason;
}

TEST(DriverApi, NamesTheMissingFunction) {
  DriverApi api;
  LibrarySearch search = driver_search();
  search.names = {"libm.so.6"};
  const CudaAvailability found = load_driver(api, search);
  EXPECT_FALSE(found.is_available);
  EXPECT_TRUE(has(found.reason, "libm.so.6 has no cuInit")) << found.reason;
}

TEST(DriverApi, RefusesAnOldDriver) {
  const FakeDriver fake(11040, DriverResult::success, 1);
  const CudaAvailability found = ask_driver(fake.api);
  EXPECT_FALSE(found.is_available);
  EXPECT_TRUE(has(found.reason, "supports CUDA 11.4, Ridge needs 12.0; install")) << found.reason;
}

TEST(DriverApi, SaysWhyADriverRefuses) {
  const CudaAvailability none = ask_driver(FakeDriver(13000, DriverResult::no_device, 0).api);
  EXPECT_FALSE(none.is_available);
  EXPECT_TRUE(has(none.reason, "no CUDA device (cuInit answered")) << none.reason;
  const CudaAvailability stub = ask_driver(FakeDriver(13000, DriverResult::stub_library, 1).api);
  EXPECT_TRUE(has(stub.reason, "stub")) << stub.reason;
  const CudaAvailability empty = ask_driver(FakeDriver(13000, DriverResult::success, 0).api);
  EXPECT_FALSE(empty.is_available);
  EXPECT_EQ(empty.reason, "no CUDA device");
  const CudaAvailability good = ask_driver(FakeDriver(13000, DriverResult::success, 2).api);
  EXPECT_TRUE(good.is_available);
  EXPECT_EQ(good.device_count, 2);
  EXPECT_EQ(good.reason, "");
}

// On a machine without a GPU everything says so in the same words; on one with it, this holds too.
TEST(DriverApi, AskingNeverThrows) {
  const CudaAvailability& found = cuda_availability();
  EXPECT_EQ(found.is_available, cuda_is_available());
  EXPECT_EQ(found.reason.empty(), found.is_available) << found.reason;
  EXPECT_EQ(found.reason.find('\n'), std::string::npos);
  EXPECT_EQ(register_cuda_runtime(), found.is_available);
  EXPECT_EQ(has_device_runtime(DeviceKind::cuda), found.is_available);
  EXPECT_EQ(cublaslt_availability().reason.empty(), cublaslt_availability().is_available);
}

TEST(DriverApi, UsingWhatIsNotThereIsOneClearError) {
  if (cuda_is_available()) GTEST_SKIP() << "there is a GPU";
  for (const auto& use : {+[] { driver(); }, +[] { cuda_runtime(); }, +[] { device_properties(0); },
                          +[] { ContextScope scope(0); }}) {
    try {
      use();
      FAIL() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::device);
      EXPECT_EQ(error.expected(), "a CUDA device and its driver");
      EXPECT_EQ(error.given(), cuda_availability().reason);
    }
  }
}

TEST(DriverApi, WritesVersions) {
  EXPECT_EQ(version_text(12040), "12.4");
  EXPECT_EQ(version_text(13000), "13.0");
}

}  // namespace
}  // namespace ridge::runtime::cuda::driver_api_test
