// Compares what is declared by hand with a toolkit's headers, where they are on the include path.
#include "ridge/runtime/cuda/driver_types.h"

#include <gtest/gtest.h>

#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/driver_api.h"

#if __has_include(<cuda.h>) && __has_include(<cublasLt.h>)
#include <cublasLt.h>
#include <cuda.h>

#include <vector>

namespace ridge::runtime::cuda::driver_types_test {
namespace {

template <class Result, class... Args>
std::vector<size_t> sizes(const Entry<Result(Args...)>&) {
  return {sizeof(Result), sizeof(Args)...};
}
template <class Result, class... Args>
std::vector<size_t> sizes(Result (*)(Args...)) {
  return {sizeof(Result), sizeof(Args)...};
}

// Of this function no address is taken at run time: only its type is used.
#define EXPECT_SAME(entry, function) \
  EXPECT_EQ(sizes(entry), sizes(static_cast<decltype(&function)>(nullptr))) << #function

TEST(DriverTypes, EntriesHaveTheirSignatures) {
  const DriverApi api;
  EXPECT_SAME(api.init, ::cuInit);
  EXPECT_SAME(api.driver_get_version, ::cuDriverGetVersion);
  EXPECT_SAME(api.get_error_name, ::cuGetErrorName);
  EXPECT_SAME(api.get_error_string, ::cuGetErrorString);
  EXPECT_SAME(api.device_get, ::cuDeviceGet);
  EXPECT_SAME(api.device_get_count, ::cuDeviceGetCount);
  EXPECT_SAME(api.device_get_name, ::cuDeviceGetName);
  EXPECT_SAME(api.device_total_mem, ::cuDeviceTotalMem_v2);
  EXPECT_SAME(api.device_get_attribute, ::cuDeviceGetAttribute);
  EXPECT_SAME(api.primary_ctx_retain, ::cuDevicePrimaryCtxRetain);
  EXPECT_SAME(api.ctx_set_current, ::cuCtxSetCurrent);
  EXPECT_SAME(api.ctx_get_current, ::cuCtxGetCurrent);
  EXPECT_SAME(api.ctx_synchronize, ::cuCtxSynchronize);
  EXPECT_SAME(api.mem_get_info, ::cuMemGetInfo_v2);
  EXPECT_SAME(api.mem_alloc, ::cuMemAlloc_v2);
  EXPECT_SAME(api.mem_free, ::cuMemFree_v2);
  EXPECT_SAME(api.mem_host_alloc, ::cuMemHostAlloc);
  EXPECT_SAME(api.mem_free_host, ::cuMemFreeHost);
  EXPECT_SAME(api.memcpy_async, ::cuMemcpyAsync);
  EXPECT_SAME(api.memset_async, ::cuMemsetD8Async);
  EXPECT_SAME(api.pointer_get_attributes, ::cuPointerGetAttributes);
  EXPECT_SAME(api.stream_create, ::cuStreamCreate);
  EXPECT_SAME(api.stream_destroy, ::cuStreamDestroy_v2);
  EXPECT_SAME(api.stream_synchronize, ::cuStreamSynchronize);
  EXPECT_SAME(api.stream_wait_event, ::cuStreamWaitEvent);
  EXPECT_SAME(api.stream_begin_capture, ::cuStreamBeginCapture_v2);
  EXPECT_SAME(api.stream_end_capture, ::cuStreamEndCapture);
  EXPECT_SAME(api.stream_is_capturing, ::cuStreamIsCapturing);
  EXPECT_SAME(api.exchange_capture_mode, ::cuThreadExchangeStreamCaptureMode);
}

TEST(DriverTypes, EntriesOfCodeHaveTheirSignatures) {
  const DriverApi api;
  EXPECT_SAME(api.event_create, ::cuEventCreate);
  EXPECT_SAME(api.event_record, ::cuEventRecord);
  EXPECT_SAME(api.event_query, ::cuEventQuery);
  EXPECT_SAME(api.event_synchronize, ::cuEventSynchronize);
  EXPECT_SAME(api.event_elapsed_time, ::cuEventElapsedTime);
  EXPECT_SAME(api.event_destroy, ::cuEventDestroy_v2);
  EXPECT_SAME(api.module_load_data, ::cuModuleLoadData);
  EXPECT_SAME(api.module_unload, ::cuModuleUnload);
  EXPECT_SAME(api.module_get_function, ::cuModuleGetFunction);
  EXPECT_SAME(api.func_get_attribute, ::cuFuncGetAttribute);
  EXPECT_SAME(api.func_set_attribute, ::cuFuncSetAttribute);
  EXPECT_SAME(api.launch_kernel, ::cuLaunchKernelEx);
  EXPECT_SAME(api.max_active_blocks, ::cuOccupancyMaxActiveBlocksPerMultiprocessor);
  EXPECT_SAME(api.tensor_map_encode, ::cuTensorMapEncodeTiled);
  EXPECT_SAME(api.graph_instantiate, ::cuGraphInstantiateWithFlags);
  EXPECT_SAME(api.graph_destroy, ::cuGraphDestroy);
  EXPECT_SAME(api.graph_launch, ::cuGraphLaunch);
  EXPECT_SAME(api.graph_exec_destroy, ::cuGraphExecDestroy);
  EXPECT_SAME(api.graph_exec_update, ::cuGraphExecUpdate_v2);
  EXPECT_SAME(api.graph_get_nodes, ::cuGraphGetNodes);
  EXPECT_SAME(api.graph_exec_set_kernel, ::cuGraphExecKernelNodeSetParams_v2);
}

TEST(DriverTypes, EntriesOfCublasLtHaveTheirSignatures) {
  const CublasLtApi api;
  EXPECT_SAME(api.get_version, ::cublasLtGetVersion);
  EXPECT_SAME(api.get_status_name, ::cublasLtGetStatusName);
  EXPECT_SAME(api.create, ::cublasLtCreate);
  EXPECT_SAME(api.destroy, ::cublasLtDestroy);
  EXPECT_SAME(api.matmul_desc_create, ::cublasLtMatmulDescCreate);
  EXPECT_SAME(api.matmul_desc_destroy, ::cublasLtMatmulDescDestroy);
  EXPECT_SAME(api.matmul_desc_set, ::cublasLtMatmulDescSetAttribute);
  EXPECT_SAME(api.matrix_layout_create, ::cublasLtMatrixLayoutCreate);
  EXPECT_SAME(api.matrix_layout_destroy, ::cublasLtMatrixLayoutDestroy);
  EXPECT_SAME(api.matrix_layout_set, ::cublasLtMatrixLayoutSetAttribute);
  EXPECT_SAME(api.preference_create, ::cublasLtMatmulPreferenceCreate);
  EXPECT_SAME(api.preference_destroy, ::cublasLtMatmulPreferenceDestroy);
  EXPECT_SAME(api.preference_set, ::cublasLtMatmulPreferenceSetAttribute);
  EXPECT_SAME(api.get_heuristic, ::cublasLtMatmulAlgoGetHeuristic);
  EXPECT_SAME(api.matmul, ::cublasLtMatmul);
  static_assert(sizeof(MatmulAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
  static_assert(sizeof(MatmulChoice) == sizeof(cublasLtMatmulHeuristicResult_t));
  static_assert(offsetof(MatmulChoice, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
  static_assert(int(MatmulCompute::tf32) == CUBLAS_COMPUTE_32F_FAST_TF32);
  static_assert(int(MatmulCompute::f32) == CUBLAS_COMPUTE_32F);
  static_assert(int(MatmulCompute::f16) == CUBLAS_COMPUTE_16F);
  static_assert(int(MatmulCompute::f64) == CUBLAS_COMPUTE_64F);
  static_assert(int(DataType::bf16) == CUDA_R_16BF && int(DataType::f16) == CUDA_R_16F);
  static_assert(int(DataType::f32) == CUDA_R_32F && int(DataType::f64) == CUDA_R_64F);
  static_assert(int(DataType::i8) == CUDA_R_8I && int(DataType::i32) == CUDA_R_32I);
  static_assert(int(MatmulDescAttribute::transpose_a) == CUBLASLT_MATMUL_DESC_TRANSA);
  static_assert(int(MatmulDescAttribute::transpose_b) == CUBLASLT_MATMUL_DESC_TRANSB);
  static_assert(int(MatmulDescAttribute::epilogue) == CUBLASLT_MATMUL_DESC_EPILOGUE);
  static_assert(int(MatmulDescAttribute::bias) == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
  static_assert(int(MatrixLayoutAttribute::order) == CUBLASLT_MATRIX_LAYOUT_ORDER);
  static_assert(int(MatrixLayoutAttribute::batch_count) == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
  static_assert(int(MatrixLayoutAttribute::batch_stride) ==
                CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
  static_assert(int(MatmulPreferenceAttribute::max_workspace_bytes) ==
                CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
  static_assert(int(MatrixOrder::row) == CUBLASLT_ORDER_ROW);
  using Preference = MatmulPreferenceAttribute;
  static_assert(int(Preference::reduction_schemes) == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
  static_assert(int(Preference::alignment_a) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
  static_assert(int(Preference::alignment_b) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
  static_assert(int(Preference::alignment_c) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
  static_assert(int(Preference::alignment_d) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
  static_assert(int(MatmulReduction::in_place) == CUBLASLT_REDUCTION_SCHEME_INPLACE);
  static_assert(int(MatmulReduction::in_compute_type) == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
  static_assert(int(MatmulReduction::in_output_type) == CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE);
}

TEST(DriverTypes, StructsHaveTheirLayout) {
  static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
  static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
  static_assert(offsetof(LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
  static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
  static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
  static_assert(sizeof(GraphUpdateInfo) == sizeof(CUgraphExecUpdateResultInfo));
  static_assert(sizeof(KernelNodeParameters) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
  static_assert(offsetof(KernelNodeParameters, arguments) ==
                offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams));
  static_assert(offsetof(KernelNodeParameters, context) ==
                offsetof(CUDA_KERNEL_NODE_PARAMS_v2, ctx));
  static_assert(int(LaunchAttributeId::cluster_dimension) == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  static_assert(int(LaunchAttributeId::programmatic_serialization) ==
                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  static_assert(int(CaptureMode::relaxed) == CU_STREAM_CAPTURE_MODE_RELAXED);
  static_assert(int(CaptureMode::thread_local_only) == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  static_assert(int(PointerAttribute::memory_type) == CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
  static_assert(unsigned(MemoryType::device) == CU_MEMORYTYPE_DEVICE);
  static_assert(kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
  static_assert(kEventDisableTiming == CU_EVENT_DISABLE_TIMING);
  static_assert(kHostPortable == CU_MEMHOSTALLOC_PORTABLE);
}

TEST(DriverTypes, TensorMapsHaveTheirNumbers) {
  static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));
  static_assert(int(TensorMapType::u8) == CU_TENSOR_MAP_DATA_TYPE_UINT8);
  static_assert(int(TensorMapType::i32) == CU_TENSOR_MAP_DATA_TYPE_INT32);
  static_assert(int(TensorMapType::i64) == CU_TENSOR_MAP_DATA_TYPE_INT64);
  static_assert(int(TensorMapType::f16) == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  static_assert(int(TensorMapType::f32) == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  static_assert(int(TensorMapType::f64) == CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  static_assert(int(TensorMapType::bf16) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  static_assert(int(TensorMapInterleave::none) == CU_TENSOR_MAP_INTERLEAVE_NONE);
  static_assert(int(TensorMapSwizzle::none) == CU_TENSOR_MAP_SWIZZLE_NONE);
  static_assert(int(TensorMapSwizzle::bytes_32) == CU_TENSOR_MAP_SWIZZLE_32B);
  static_assert(int(TensorMapSwizzle::bytes_64) == CU_TENSOR_MAP_SWIZZLE_64B);
  static_assert(int(TensorMapSwizzle::bytes_128) == CU_TENSOR_MAP_SWIZZLE_128B);
  static_assert(int(TensorMapPromotion::none) == CU_TENSOR_MAP_L2_PROMOTION_NONE);
  static_assert(int(TensorMapPromotion::l2_128_bytes) == CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
  static_assert(int(TensorMapFill::zeros) == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

TEST(DriverTypes, ResultsHaveTheirNumbers) {
  static_assert(int(DriverResult::out_of_memory) == CUDA_ERROR_OUT_OF_MEMORY);
  static_assert(int(DriverResult::not_initialized) == CUDA_ERROR_NOT_INITIALIZED);
  static_assert(int(DriverResult::stub_library) == CUDA_ERROR_STUB_LIBRARY);
  static_assert(int(DriverResult::no_device) == CUDA_ERROR_NO_DEVICE);
  static_assert(int(DriverResult::invalid_image) == CUDA_ERROR_INVALID_IMAGE);
  static_assert(int(DriverResult::no_binary_for_gpu) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  static_assert(int(DriverResult::ecc_uncorrectable) == CUDA_ERROR_ECC_UNCORRECTABLE);
  static_assert(int(DriverResult::not_found) == CUDA_ERROR_NOT_FOUND);
  static_assert(int(DriverResult::not_ready) == CUDA_ERROR_NOT_READY);
  static_assert(int(DriverResult::illegal_address) == CUDA_ERROR_ILLEGAL_ADDRESS);
  static_assert(int(DriverResult::device_assert) == CUDA_ERROR_ASSERT);
  static_assert(int(DriverResult::launch_failed) == CUDA_ERROR_LAUNCH_FAILED);
  static_assert(int(DriverResult::tensor_memory_leak) == CUDA_ERROR_TENSOR_MEMORY_LEAK);
  static_assert(int(DriverResult::stream_capture_implicit) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  static_assert(int(DriverResult::graph_exec_update_failure) ==
                CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  static_assert(int(DriverResult::external_device) == CUDA_ERROR_EXTERNAL_DEVICE);
}

TEST(DriverTypes, AttributesHaveTheirNumbers) {
  using D = DeviceAttribute;
  static_assert(int(D::max_block_z) == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  static_assert(int(D::max_grid_z) == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  static_assert(int(D::warp_size) == CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  static_assert(int(D::clock_khz) == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  static_assert(int(D::multiprocessors) == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  static_assert(int(D::memory_clock_khz) == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  static_assert(int(D::memory_bus_bits) == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  static_assert(int(D::l2_bytes) == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  static_assert(int(D::compute_capability_minor) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  static_assert(int(D::shared_bytes_per_block_optin) ==
                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  static_assert(int(D::shared_bytes_per_multiprocessor) ==
                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  static_assert(int(D::cluster_launch) == CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
  using F = FunctionAttribute;
  static_assert(int(F::registers) == CU_FUNC_ATTRIBUTE_NUM_REGS);
  static_assert(int(F::local_bytes) == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  static_assert(int(F::static_shared_bytes) == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  static_assert(int(F::max_dynamic_shared_bytes) ==
                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  static_assert(int(F::non_portable_cluster_allowed) ==
                CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
}

}  // namespace
}  // namespace ridge::runtime::cuda::driver_types_test
#endif
