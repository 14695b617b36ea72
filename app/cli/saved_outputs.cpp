#include "saved_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/npy.hpp"
#include "base/text.hpp"
#include "model/npy_type.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

/// What one message may carry.
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

/// "matmul_tiled" for matmul/tiled, "mine" for ../mine.cl; letters, digits and -_. only.
std::string file_stem(const Contestant& contestant) {
    std::string name = contestant.name();
    if (name.ends_with(".cl")) name = fs::path(name).stem().string();
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
    return name;
}

std::vector<std::string> file_stems(const RunRequest& request) {
    std::vector<std::string> stems;
    for (const Contestant& contestant : request.contestants) {
        const std::string stem = file_stem(contestant);
        std::string name = stem;
        for (int i = 2; std::find(stems.begin(), stems.end(), name) != stems.end(); ++i)
            name = fmt::format("{}-{}", stem, i);
        stems.push_back(name);
    }
    return stems;
}

}  // namespace

void prepare_outputs(const fs::path& folder, const ProblemInstance& instance) {
    for (const BufferSpec& buffer : instance.buffers)
        if (buffer.access != Access::Read && buffer.bytes() > kMostBytes)
            throw BadInput(
                fmt::format("--save-outputs: {} takes {}, and at most {} can be kept; choose a smaller "
                            "--size",
                            buffer.name, format_bytes(buffer.bytes()), format_bytes(kMostBytes)));
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error))
        throw BadInput(fmt::format("--save-outputs {}: cannot make this folder{}", folder.string(),
                                   error ? ": " + error.message() : "; something else has its name"));
    require_writable(folder / "kernel.npy");
}

std::string save_outputs(const fs::path& folder, const RunRequest& request,
                         const std::vector<WrittenOutput>& outputs) {
    const std::vector<std::string> stems = file_stems(request);
    std::vector<std::string> written;
    for (const WrittenOutput& output : outputs) {
        const fs::path file =
            folder / fmt::format("{}.{}.npy", stems.at(output.contestant), output.buffer.name);
        std::vector<std::uint64_t> shape = output.buffer.shape;
        if (output.buffer.type.width > 1) shape.push_back(output.buffer.type.width);
        write_file(file, make_npy(npy_type(output.buffer.type), shape, *output.content));
        written.push_back(file.string());
    }
    return written.empty() ? "" : "Outputs written: " + enumerate(written);
}

}  // namespace kwb::cli
