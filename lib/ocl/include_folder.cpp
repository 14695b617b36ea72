#include "ocl/include_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

namespace fs = std::filesystem;

void require_inside(const std::string& name) {
    const fs::path path(name);
    bool inside =
        !name.empty() && path.is_relative() && path.has_filename() && name.find('\0') == std::string::npos;
    for (const fs::path& part : path) inside = inside && part != ".." && part != ".";
    if (!inside)
        throw ClError::refusal("the included file '" + name + "' lies outside of the kernel's folder",
                               "put it beside the kernel");
}

void write_text(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw EnvironmentError("cannot write " + path.string() + ": is the disk full?");
}

std::string make_root() {
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    if (error) folder = "/tmp";
    std::string root = (folder / "kwb-build-XXXXXX").string();
    if (::mkdtemp(root.data()) == nullptr)
        throw EnvironmentError("cannot make a folder in " + folder.string() +
                               "; set TMPDIR to one that can be written");
    return root;
}

}  // namespace

IncludeFolder::IncludeFolder(const NamedList<std::string>& files) {
    if (files.empty()) return;
    for (const auto& file : files) require_inside(file.name);
    root_ = make_root();
    try {
        for (const auto& [name, text] : files) write_text(fs::path(root_) / kName / name, text);
        previous_ = Fd(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (::chdir(root_.c_str()) != 0) throw_errno("chdir");
    } catch (...) {
        remove();
        throw;
    }
}

IncludeFolder::~IncludeFolder() {
    remove();
}

void IncludeFolder::remove() {
    if (root_.empty()) return;
    if (!previous_ || ::fchdir(previous_.get()) != 0) [[maybe_unused]]
        const int ignored = ::chdir("/");
    std::error_code ignored;
    fs::remove_all(root_, ignored);
}

std::string IncludeFolder::option() const {
    return root_.empty() ? "" : std::string("-I") + kName;
}

}  // namespace kwb
