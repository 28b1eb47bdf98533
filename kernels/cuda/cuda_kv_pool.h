// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the KV cache on the GPU: per plane [block][K|V][kv head][token][head_dim].
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/api/kv_pool.h"
#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

class CudaKvPool final : public KvPool {
public:
    [[nodiscard]] static Result<std::unique_ptr<CudaKvPool>> make(
        const KvSpec& spec, int num_blocks, std::shared_ptr<CudaStream> stream);

    [[nodiscard]] KvGeometry geometry() const noexcept override;
    Result<void> copy_blocks(std::span<const BlockCopy> copies) override;
    [[nodiscard]] Result<std::vector<float>> read_block(LayerId layer, std::int32_t block) const override;

    [[nodiscard]] const KvSpec& spec() const noexcept { return spec_; }
    [[nodiscard]] int num_blocks() const noexcept { return num_blocks_; }
    [[nodiscard]] const KvTarget& layer(LayerId id) const { return layers_[static_cast<std::size_t>(id.value)]; }
    /// Which of the step's block tables and slots are the layer's.
    [[nodiscard]] int group_of(LayerId id) const { return spec_.layers[static_cast<std::size_t>(id.value)].group; }

private:
    CudaKvPool(KvSpec spec, int num_blocks, std::shared_ptr<CudaStream> stream)
        : spec_(std::move(spec)), num_blocks_(num_blocks), stream_(std::move(stream)) {}
    [[nodiscard]] Result<KvTarget> make_plane(const KvLayer& layer);
    [[nodiscard]] Result<void> add_head_scales(KvTarget& layer);
    [[nodiscard]] std::size_t block_bytes(const KvTarget& layer) const noexcept;

    KvSpec spec_;
    int num_blocks_;
    std::shared_ptr<CudaStream> stream_;
    std::vector<DeviceBuffer> buffers_;
    std::vector<KvTarget> planes_; // what blocks are copied of
    std::vector<KvTarget>
        layers_; // index == LayerId; layers of one plane share its memory, not the scales of their heads
};

} // namespace vitrine::kernels
