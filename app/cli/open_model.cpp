// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: model opening.
#include "app/cli/open_model.h"

#include <fstream>
#include <future>
#include <iterator>

#include <fmt/format.h>

#include "engine/base/data_dir.h"
#include "engine/device/backend_catalog.h"
#include "engine/model/model_file.h"

namespace vitrine::app {
namespace {

class WaitingSink final : public engine::LoadSink {
public:
    void on_load_progress(const engine::LoadProgress& progress) override {
        using engine::LoadPhase;
        if (progress.phase == LoadPhase::done)
            done_.set_value({});
        else if (progress.phase == LoadPhase::failed || progress.phase == LoadPhase::cancelled)
            done_.set_value(tl::unexpected(progress.error.value_or(Error{})));
    }
    Result<void> wait() { return done_.get_future().get(); }

private:
    std::promise<Result<void>> done_;
};

} // namespace

std::string model_path(const std::string& argument) {
    return argument == "default" ? engine::default_model_path().string() : argument;
}

Result<std::shared_ptr<const engine::gguf::File>> open_model_file(const std::string& argument) {
    return engine::open_model_file(model_path(argument));
}

Result<void> check_device(const ModelOptions& options) {
    const engine::EngineConfig& config = options.config;
    const auto device = engine::BackendCatalog().find({config.device, config.isa, config.num_threads});
    if (!device && device.error().code != ErrorCode::invalid_argument)
        return fail(ErrorCode::device, device.error().message, device.error().remedy);
    if (!device)
        return tl::unexpected(device.error());
    return {};
}

Result<std::unique_ptr<engine::Engine>> open_engine(const ModelOptions& options) {
    VT_TRY(check_device(options));
    engine::EngineConfig config = options.config;
    config.draft = model_path(config.draft);
    auto engine = engine::make_engine();
    auto sink = std::make_shared<WaitingSink>();
    VT_TRY(engine->load(model_path(options.model), config, sink));
    VT_TRY(sink->wait());
    return engine;
}

Result<engine::DirectModel> open_direct(
    const ModelOptions& options, int context, int num_sequences, kernels::InputObserver* observer) {
    return engine::DirectModel::open(model_path(options.model), options.config, context, num_sequences, observer);
}

Result<std::string> read_text(const std::string& path, Console& console) {
    if (path == "-")
        return console.read_all();
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(ErrorCode::io, fmt::format("{} cannot be read", path), "Check the path.");
    return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<engine::QualityText> read_quality_text(const std::string& path, Console& console) {
    engine::QualityText text = engine::built_in_quality_text();
    if (path.empty())
        return text;
    auto read = read_text(path, console);
    VT_TRY(read);
    text.name = path;
    text.text = *std::move(read);
    return text;
}

} // namespace vitrine::app
