// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_stream.h"

namespace vitrine::kernels {

Result<std::shared_ptr<CudaStream>> CudaStream::make(int device) {
    std::shared_ptr<CudaStream> stream(new CudaStream);
    stream->device_ = device;
    VT_TRY(stream->use());
    VT_TRY(cuda_result(cudaDeviceGetAttribute(&stream->num_sms_, cudaDevAttrMultiProcessorCount, device),
        "Asking the GPU for its size"));
    VT_TRY(cuda_result(cudaStreamCreateWithFlags(&stream->stream_, cudaStreamNonBlocking), "Making a GPU stream"));
    if (cublasLtCreate(&stream->blas_) != CUBLAS_STATUS_SUCCESS)
        return fail(
            ErrorCode::device, "The cuBLAS library did not start.", "Check that libcublasLt.so.13 is installed.");
    return stream;
}

CudaStream::~CudaStream() {
    (void)cudaSetDevice(device_);
    if (blas_ != nullptr)
        (void)cublasLtDestroy(blas_);
    if (stream_ != nullptr)
        (void)cudaStreamDestroy(stream_);
}

Result<void> CudaStream::use() const {
    return cuda_result(cudaSetDevice(device_), "Choosing GPU " + std::to_string(device_));
}

Result<void> CudaStream::synchronize() const {
    return cuda_result(cudaStreamSynchronize(stream_), "A GPU step");
}

} // namespace vitrine::kernels
