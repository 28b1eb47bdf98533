// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_stream.h"

#include <algorithm>

#include "kernels/api/sentence.h"

namespace vitrine::kernels {

Result<std::shared_ptr<CudaStream>> CudaStream::make(int device) {
    std::shared_ptr<CudaStream> stream(new CudaStream);
    stream->device_ = device;
    VT_TRY(stream->use());
    VT_TRY(cuda_result(cudaDeviceGetAttribute(&stream->num_sms_, cudaDevAttrMultiProcessorCount, device),
        "Asking the GPU for its size"));
    int major = 0;
    int minor = 0;
    VT_TRY(cuda_result(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "Asking the GPU for its architecture"));
    VT_TRY(cuda_result(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        "Asking the GPU for its architecture"));
    stream->is_hopper_ = major == 9 && minor == 0;
    stream->max_cluster_ = stream->is_hopper_ ? 16 : major >= 9 ? 8 : 1;
    SmallLimits& small = stream->small_limits_;
    small.num_sms = stream->num_sms_;
    small.max_cluster = std::min(stream->max_cluster_, kSlices);
    VT_TRY(cuda_result(cudaDeviceGetAttribute(&small.block_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "Asking the GPU for its shared memory"));
    VT_TRY(cuda_result(cudaDeviceGetAttribute(&small.sm_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
        "Asking the GPU for its shared memory"));
    VT_TRY(cuda_result(cudaStreamCreateWithFlags(&stream->stream_, cudaStreamNonBlocking), "Making a GPU stream"));
    VT_TRY(cuda_result(cudaStreamCreateWithFlags(&stream->side_, cudaStreamNonBlocking), "Making a GPU stream"));
    if (cublasLtCreate(&stream->blas_) != CUBLAS_STATUS_SUCCESS)
        return fail(ErrorCode::device, say(Sentence::cublas_not_started), say(Sentence::check_cublas));
    return stream;
}

CudaStream::~CudaStream() {
    (void)cudaSetDevice(device_);
    if (blas_ != nullptr)
        (void)cublasLtDestroy(blas_);
    for (cudaStream_t stream : {stream_, side_}) {
        if (stream != nullptr)
            (void)cudaStreamDestroy(stream);
    }
}

CudaEvent::~CudaEvent() {
    if (event_ != nullptr)
        (void)cudaEventDestroy(event_);
}

Result<void> CudaEvent::make() {
    return cuda_result(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "Making an event");
}

Result<void> CudaStream::use() const {
    return cuda_result(cudaSetDevice(device_), "Choosing GPU " + std::to_string(device_));
}

Result<void> CudaStream::synchronize() const {
    return cuda_result(cudaStreamSynchronize(stream_), "A GPU step");
}

} // namespace vitrine::kernels
