#include "ridge/runtime/cuda/cublaslt_api.h"

#include <exception>
#include <map>
#include <mutex>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/context.h"

namespace ridge::runtime::cuda {
namespace {

LibrarySearch cublaslt_search() {
  return {.names = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
          .folders = {"/usr/local/cuda/lib64"},
          .remedy = "install cuBLAS, 12 or later, of a CUDA toolkit"};
}

struct LoadedCublasLt {
  CublasLtApi api;
  CublasLtAvailability availability;
};

const LoadedCublasLt& loaded_cublaslt() {
  static const LoadedCublasLt* const loaded = [] {
    auto* fresh = new LoadedCublasLt;
    try {
      fresh->availability.reason = fresh->api.load(cublaslt_search());
      fresh->availability.is_available = fresh->availability.reason.empty();
      if (fresh->availability.is_available) fresh->availability.version = fresh->api.get_version();
    } catch (const std::exception& error) {
      fresh->availability.reason = error.what();
    }
    return fresh;
  }();
  return *loaded;
}

}  // namespace

const CublasLtAvailability& cublaslt_availability() noexcept {
  return loaded_cublaslt().availability;
}

const CublasLtApi& cublaslt() {
  const LoadedCublasLt& loaded = loaded_cublaslt();
  RIDGE_CHECK(loaded.availability.is_available, .code = ErrorCode::device,
              .expected = "cuBLASLt, for matrix products on the GPU",
              .given = loaded.availability.reason);
  return loaded.api;
}

CublasLtHandle cublaslt_handle(int device) {
  struct Handles {
    std::mutex mutex;
    std::map<int, CublasLtHandle> by_device;
  };
  static Handles* const handles = new Handles;
  const ContextScope scope(device);
  const std::lock_guard lock(handles->mutex);
  CublasLtHandle& handle = handles->by_device[device];
  if (handle == nullptr) check(cublaslt().create, &handle);
  return handle;
}

void throw_cublas_error(const char* call, CublasResult result) {
  const char* name = cublaslt().get_status_name(result);
  throw_error(
      {.code = ErrorCode::device,
       .expected = concat(call, " to succeed"),
       .given = name != nullptr ? std::string(name) : concat("status ", static_cast<int>(result))});
}

}  // namespace ridge::runtime::cuda
