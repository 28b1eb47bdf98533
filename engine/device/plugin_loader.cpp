// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/device: plugin loading.
#include "engine/device/plugin_loader.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <fstream>

#if __has_include("kernels/api/build_id.h")
#include "kernels/api/build_id.h"
#include "kernels/api/sentence.h"
#endif

namespace vitrine::engine {
namespace {

#if __has_include("kernels/api/build_id.h")
constexpr std::string_view kOwnBuildId = kernels::kBuildId;
#else
constexpr std::string_view kOwnBuildId; // empty: a build without plugins has no id: abi_version alone decides
#endif

std::string dl_error() {
    const char* text = dlerror();
    return text ? text : "unknown reason";
}

/// Bytes that the segments of an ELF file need.  dlopen() maps them without a look at the size: what a cut file lacks would
/// end the process (SIGBUS).  0: no ELF file of 64 bits, and dlopen() says so itself.
std::uint64_t needed_bytes(std::ifstream& file) {
    Elf64_Ehdr header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        !std::equal(header.e_ident, header.e_ident + SELFMAG, ELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr))
        return 0;
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
    for (int i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment))
            return end;
        end = std::max(end, segment.p_offset + segment.p_filesz);
    }
    return end;
}

Result<void> check_whole(const std::string& path) {
    std::error_code ignored;
    const std::uint64_t size = std::filesystem::file_size(path, ignored);
    std::ifstream file(path, std::ios::binary);
    const std::uint64_t needed = needed_bytes(file);
    if (needed <= size)
        return {};
    return fail(
        ErrorCode::device, say(Sentence::plugin_cut_short, path, size, needed), say(Sentence::install_plugin_again));
}

} // namespace

std::vector<std::filesystem::path> plugin_folders() {
    std::vector<std::filesystem::path> folders;
    if (const char* configured = std::getenv("VITRINE_BACKEND_DIR"); configured && *configured)
        folders.emplace_back(configured);
    std::error_code ignored;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!executable.empty()) {
        folders.push_back(executable.parent_path());
        folders.push_back(executable.parent_path().parent_path() / "lib" / "vitrine"); // as installed
    }
    return folders;
}

Result<void> check_plugin(const kernels::PluginEntry& entry, const std::string& file) {
    if (entry.abi_version != kernels::kPluginAbiVersion)
        return fail(ErrorCode::device,
            say(Sentence::plugin_of_other_interface, file, std::to_string(entry.abi_version),
                std::to_string(kernels::kPluginAbiVersion)),
            say(Sentence::install_own_plugin));
    const std::string_view build_id = entry.build_id ? entry.build_id : "(none)";
    if (!kOwnBuildId.empty() && build_id != kOwnBuildId)
        return fail(ErrorCode::device, say(Sentence::plugin_of_other_build, file, build_id, kOwnBuildId),
            say(Sentence::install_own_plugin));
    return {};
}

std::filesystem::path find_plugin(std::string_view name, const std::vector<std::filesystem::path>& folders) {
    for (const auto& folder : folders) {
        std::error_code ignored;
        if (auto file = folder / fmt::format("lib{}.so", name); std::filesystem::is_regular_file(file, ignored))
            return file;
    }
    return {};
}

Result<const kernels::PluginEntry*> load_plugin(
    std::string_view name, const std::vector<std::filesystem::path>& folders) {
    const std::string file = find_plugin(name, folders).string();
    if (file.empty())
        return fail(ErrorCode::not_found, say(Sentence::plugin_missing, name), say(Sentence::install_plugin));
    VT_TRY(check_whole(file));
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail(ErrorCode::device, say(Sentence::plugin_not_loaded, file, dl_error()),
            say(Sentence::install_gpu_libraries));
    // POSIX guarantees that a data pointer of dlsym() converts to a function pointer.
    const auto get_entry = reinterpret_cast<VitrineBackendPluginFunction>(dlsym(library, kVitrineBackendPluginSymbol));
    if (!get_entry)
        return fail(ErrorCode::device, say(Sentence::plugin_of_other_program, file, dl_error()),
            say(Sentence::remove_or_install_plugin));
    const kernels::PluginEntry* entry = get_entry();
    if (!entry)
        return fail(ErrorCode::device, say(Sentence::plugin_without_entry, file), say(Sentence::install_plugin_again));
    VT_TRY(check_plugin(*entry, file));
    return entry;
}

} // namespace vitrine::engine
