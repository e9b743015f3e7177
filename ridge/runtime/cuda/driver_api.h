// The CUDA driver (libcuda.so.1), loaded when it is first asked for.
//
//   if (!cuda_is_available()) std::puts(cuda_availability().reason.c_str());
//   check(driver().stream_synchronize, stream);      // check.h: an Error that names the call
//
// One binary runs with and without a GPU: asking whether there is one never throws, and driver()
// throws one Error{device} that says what is missing and what to install.
#pragma once

#include <string>

#include "ridge/runtime/cuda/driver_types.h"
#include "ridge/runtime/cuda/shared_library.h"

namespace ridge::runtime::cuda {

// Entries are named as in cuda.h without the prefix; the symbol is what is exported, so a version
// suffix is part of it.
struct DriverApi : EntryTable {
  template <class... Args>
  using Call = Entry<DriverResult(Args...)>;

  Call<unsigned> init{*this, "cuInit"};
  Call<int*> driver_get_version{*this, "cuDriverGetVersion"};
  Call<DriverResult, const char**> get_error_name{*this, "cuGetErrorName"};
  Call<DriverResult, const char**> get_error_string{*this, "cuGetErrorString"};

  Call<DeviceHandle*, int> device_get{*this, "cuDeviceGet"};
  Call<int*> device_get_count{*this, "cuDeviceGetCount"};
  Call<char*, int, DeviceHandle> device_get_name{*this, "cuDeviceGetName"};
  Call<size_t*, DeviceHandle> device_total_mem{*this, "cuDeviceTotalMem_v2"};
  Call<int*, DeviceAttribute, DeviceHandle> device_get_attribute{*this, "cuDeviceGetAttribute"};

  Call<ContextHandle*, DeviceHandle> primary_ctx_retain{*this, "cuDevicePrimaryCtxRetain"};
  Call<ContextHandle> ctx_set_current{*this, "cuCtxSetCurrent"};
  Call<ContextHandle*> ctx_get_current{*this, "cuCtxGetCurrent"};
  Call<> ctx_synchronize{*this, "cuCtxSynchronize"};

  Call<size_t*, size_t*> mem_get_info{*this, "cuMemGetInfo_v2"};
  Call<DevicePointer*, size_t> mem_alloc{*this, "cuMemAlloc_v2"};
  Call<DevicePointer> mem_free{*this, "cuMemFree_v2"};
  Call<void**, size_t, unsigned> mem_host_alloc{*this, "cuMemHostAlloc"};
  Call<void*> mem_free_host{*this, "cuMemFreeHost"};
  Call<DevicePointer, DevicePointer, size_t, StreamHandle> memcpy_async{*this, "cuMemcpyAsync"};
  Call<DevicePointer, unsigned char, size_t, StreamHandle> memset_async{*this, "cuMemsetD8Async"};
  Call<unsigned, PointerAttribute*, void**, DevicePointer> pointer_get_attributes{
      *this, "cuPointerGetAttributes"};

  Call<StreamHandle*, unsigned> stream_create{*this, "cuStreamCreate"};
  Call<StreamHandle> stream_destroy{*this, "cuStreamDestroy_v2"};
  Call<StreamHandle> stream_synchronize{*this, "cuStreamSynchronize"};
  Call<StreamHandle, EventHandle, unsigned> stream_wait_event{*this, "cuStreamWaitEvent"};
  Call<StreamHandle, CaptureMode> stream_begin_capture{*this, "cuStreamBeginCapture_v2"};
  Call<StreamHandle, GraphHandle*> stream_end_capture{*this, "cuStreamEndCapture"};
  Call<StreamHandle, CaptureStatus*> stream_is_capturing{*this, "cuStreamIsCapturing"};
  Call<StreamHandle, CaptureStatus*, unsigned long long*, GraphHandle*, const GraphNodeHandle**,
       size_t*>
      stream_get_capture_info{*this, "cuStreamGetCaptureInfo_v2"};
  Call<CaptureMode*> exchange_capture_mode{*this, "cuThreadExchangeStreamCaptureMode"};

  Call<EventHandle*, unsigned> event_create{*this, "cuEventCreate"};
  Call<EventHandle, StreamHandle> event_record{*this, "cuEventRecord"};
  Call<EventHandle> event_query{*this, "cuEventQuery"};
  Call<EventHandle> event_synchronize{*this, "cuEventSynchronize"};
  Call<float*, EventHandle, EventHandle> event_elapsed_time{*this, "cuEventElapsedTime"};
  Call<EventHandle> event_destroy{*this, "cuEventDestroy_v2"};

  Call<ModuleHandle*, const void*> module_load_data{*this, "cuModuleLoadData"};
  Call<ModuleHandle> module_unload{*this, "cuModuleUnload"};
  Call<FunctionHandle*, ModuleHandle, const char*> module_get_function{*this,
                                                                       "cuModuleGetFunction"};
  Call<int*, FunctionAttribute, FunctionHandle> func_get_attribute{*this, "cuFuncGetAttribute"};
  Call<FunctionHandle, FunctionAttribute, int> func_set_attribute{*this, "cuFuncSetAttribute"};
  Call<const LaunchConfig*, FunctionHandle, void**, void**> launch_kernel{*this,
                                                                          "cuLaunchKernelEx"};
  Call<int*, FunctionHandle, int, size_t> max_active_blocks{
      *this, "cuOccupancyMaxActiveBlocksPerMultiprocessor"};

  Call<TensorMap*, TensorMapType, uint32_t, void*, const uint64_t*, const uint64_t*,
       const uint32_t*, const uint32_t*, TensorMapInterleave, TensorMapSwizzle, TensorMapPromotion,
       TensorMapFill>
      tensor_map_encode{*this, "cuTensorMapEncodeTiled"};

  Call<GraphExecHandle*, GraphHandle, unsigned long long> graph_instantiate{
      *this, "cuGraphInstantiateWithFlags"};
  Call<GraphHandle> graph_destroy{*this, "cuGraphDestroy"};
  Call<GraphExecHandle, StreamHandle> graph_launch{*this, "cuGraphLaunch"};
  Call<GraphExecHandle> graph_exec_destroy{*this, "cuGraphExecDestroy"};
  Call<GraphExecHandle, GraphHandle, GraphUpdateInfo*> graph_exec_update{*this,
                                                                         "cuGraphExecUpdate_v2"};
  Call<GraphHandle, GraphNodeHandle*, size_t*> graph_get_nodes{*this, "cuGraphGetNodes"};
  Call<GraphExecHandle, GraphNodeHandle, const KernelNodeParameters*> graph_exec_set_kernel{
      *this, "cuGraphExecKernelNodeSetParams_v2"};
};

// The oldest driver that has all of the above: CUDA 12.0, as cuDriverGetVersion writes it.
inline constexpr int kOldestDriverVersion = 12000;

LibrarySearch driver_search();

struct CudaAvailability {
  bool is_available = false;
  std::string reason{};    // why not; one line
  int driver_version = 0;  // the CUDA version the driver supports: 12040 is 12.4
  int device_count = 0;
};

// Loads the driver, then asks it; `api` is usable if the answer is yes. For tests: others call the
// functions below, which do this once.
CudaAvailability load_driver(DriverApi& api, const LibrarySearch& search);
CudaAvailability ask_driver(const DriverApi& api);

const CudaAvailability& cuda_availability() noexcept;
bool cuda_is_available() noexcept;

// Error{device} with the reason where CUDA is not available.
const DriverApi& driver();

std::string version_text(int version);  // 12040 is "12.4"

// Lets this thread allocate, load code and query events while it captures a graph.
//
// The driver refuses such calls on a capturing thread, because in general they may wait for what
// has only been recorded. Those of the runtime's own bookkeeping never do, and say so with a scope:
//
//   const RelaxedCapture relaxed;
//   check(driver().mem_alloc, &pointer, bytes);

class RelaxedCapture {
 public:
  RelaxedCapture() { driver().exchange_capture_mode(&mode_); }
  ~RelaxedCapture() { driver().exchange_capture_mode(&mode_); }  // swaps back what was there
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  CaptureMode mode_ = CaptureMode::relaxed;
};

}  // namespace ridge::runtime::cuda
