// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cublas_linear.h"

#include "kernels/api/sentence.h"

namespace vitrine::kernels {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxPlans = 512; // prompts of every length would grow the table without end

Result<void> blas_result(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS)
        return {};
    return fail(ErrorCode::device, say(Sentence::gpu_call_failed, what, cublasLtGetStatusString(status)),
        say(Sentence::load_again_or_cpu));
}

} // namespace

Result<std::unique_ptr<CublasLinear>> CublasLinear::make(std::shared_ptr<CudaStream> stream) {
    std::unique_ptr<CublasLinear> linear(new CublasLinear(std::move(stream)));
    VT_TRY(blas_result(
        cublasLtMatmulDescCreate(&linear->operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "Describing a product"));
    const cublasOperation_t transposed = CUBLAS_OP_T;
    VT_TRY(blas_result(
        cublasLtMatmulDescSetAttribute(linear->operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
        "Describing a product"));
    auto workspace = DeviceBuffer::make(kWorkspaceBytes, "The workspace of cuBLAS");
    VT_TRY(workspace);
    linear->workspace_ = std::move(*workspace);
    return linear;
}

CublasLinear::~CublasLinear() {
    for (auto& [shape, plan] : plans_) {
        for (cublasLtMatrixLayout_t layout : {plan.w, plan.x, plan.y})
            (void)cublasLtMatrixLayoutDestroy(layout);
    }
    if (operation_ != nullptr)
        (void)cublasLtMatmulDescDestroy(operation_);
}

Result<const CublasLinear::Plan*> CublasLinear::plan(int rows, int width, int depth) {
    const auto shape = std::make_tuple(rows, width, depth);
    if (const auto found = plans_.find(shape); found != plans_.end())
        return &found->second;
    if (plans_.size() >= kMaxPlans) {
        for (cublasLtMatrixLayout_t layout :
            {plans_.begin()->second.w, plans_.begin()->second.x, plans_.begin()->second.y})
            (void)cublasLtMatrixLayoutDestroy(layout);
        plans_.erase(plans_.begin());
    }
    Plan plan;
    const auto m = static_cast<std::uint64_t>(rows);
    const auto n = static_cast<std::uint64_t>(width);
    const auto k = static_cast<std::uint64_t>(depth);
    // Column-major to cuBLAS: w is k x n, x is k x m, y is n x m.
    VT_TRY(blas_result(cublasLtMatrixLayoutCreate(&plan.w, CUDA_R_16F, k, n, depth), "Describing a product"));
    VT_TRY(blas_result(cublasLtMatrixLayoutCreate(&plan.x, CUDA_R_16F, k, m, depth), "Describing a product"));
    VT_TRY(blas_result(cublasLtMatrixLayoutCreate(&plan.y, CUDA_R_32F, n, m, width), "Describing a product"));
    cublasLtMatmulPreference_t preference = nullptr;
    VT_TRY(blas_result(cublasLtMatmulPreferenceCreate(&preference), "Choosing a product"));
    const std::size_t limit = kWorkspaceBytes;
    (void)cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof limit);
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        stream_->blas(), operation_, plan.w, plan.x, plan.y, plan.y, preference, 1, &best, &found);
    (void)cublasLtMatmulPreferenceDestroy(preference);
    VT_TRY(blas_result(found > 0 ? status : CUBLAS_STATUS_NOT_SUPPORTED, "Choosing a product"));
    plan.algorithm = best.algo;
    return &plans_.emplace(shape, plan).first->second;
}

Result<void> CublasLinear::multiply(
    const std::uint16_t* x, const std::uint16_t* w, float* y, int rows, int width, int depth) {
    auto chosen = plan(rows, width, depth);
    VT_TRY(chosen);
    const Plan& p = **chosen;
    const float one = 1;
    const float zero = 0;
    return blas_result(cublasLtMatmul(stream_->blas(), operation_, &one, w, p.w, x, p.x, &zero, y, p.y, y, p.y,
                           &p.algorithm, workspace_.as<void>(), kWorkspaceBytes, stream_->get()),
        "A product");
}

} // namespace vitrine::kernels
