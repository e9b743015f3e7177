#include "ridge/runtime/cuda/driver_api.h"

#include <exception>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

std::string name_of(const DriverApi& api, DriverResult result) {
  const char* name = nullptr;
  if (api.get_error_name(result, &name) == DriverResult::success && name != nullptr) return name;
  return concat("error ", static_cast<int>(result));
}

std::string refusal_of_init(const DriverApi& api, DriverResult result) {
  const std::string answer = concat("cuInit answered ", name_of(api, result));
  if (result == DriverResult::no_device) return "no CUDA device (" + answer + ")";
  if (result == DriverResult::stub_library) {
    return concat(answer, ": ", api.path(),
                  " is the toolkit's stub; remove the stubs folder from the library path");
  }
  if (result == DriverResult::system_driver_mismatch) {
    return answer + ": the driver's library and its kernel module differ; reboot or reinstall it";
  }
  return answer;
}

// A function, not two statics: the driver must outlive every static of the host.
struct LoadedDriver {
  DriverApi api;
  CudaAvailability availability;
};

const LoadedDriver& loaded_driver() {
  static const LoadedDriver* const loaded = [] {
    auto* fresh = new LoadedDriver;
    try {
      fresh->availability = load_driver(fresh->api, driver_search());
    } catch (const std::exception& error) {
      fresh->availability = {.reason = error.what()};
    }
    return fresh;
  }();
  return *loaded;
}

}  // namespace

LibrarySearch driver_search() {
  return {.names = {"libcuda.so.1"},
          .remedy = "install an NVIDIA driver, 525 or later, to use a GPU"};
}

std::string version_text(int version) { return concat(version / 1000, ".", version % 1000 / 10); }

CudaAvailability load_driver(DriverApi& api, const LibrarySearch& search) {
  const std::string problem = api.load(search);
  if (!problem.empty()) return {.reason = problem};
  return ask_driver(api);
}

CudaAvailability ask_driver(const DriverApi& api) {
  CudaAvailability found;
  // The version can be asked before cuInit, and says more than what an old cuInit would.
  if (api.driver_get_version(&found.driver_version) == DriverResult::success &&
      found.driver_version < kOldestDriverVersion) {
    found.reason =
        concat("the driver supports CUDA ", version_text(found.driver_version), ", Ridge needs ",
               version_text(kOldestDriverVersion), "; ", driver_search().remedy);
    return found;
  }
  if (const DriverResult result = api.init(0); result != DriverResult::success) {
    found.reason = refusal_of_init(api, result);
    return found;
  }
  if (const DriverResult result = api.device_get_count(&found.device_count);
      result != DriverResult::success) {
    found.reason = concat("cuDeviceGetCount answered ", name_of(api, result));
    return found;
  }
  found.is_available = found.device_count > 0;
  if (!found.is_available) found.reason = "no CUDA device";
  return found;
}

const CudaAvailability& cuda_availability() noexcept { return loaded_driver().availability; }

bool cuda_is_available() noexcept { return cuda_availability().is_available; }

const DriverApi& driver() {
  const LoadedDriver& loaded = loaded_driver();
  RIDGE_CHECK(loaded.availability.is_available, .code = ErrorCode::device,
              .expected = "a CUDA device and its driver", .given = loaded.availability.reason);
  return loaded.api;
}

}  // namespace ridge::runtime::cuda
