// The neighbours that a kernel includes, laid where the compiler finds them.
#pragma once

#include <string>

#include "base/fd.hpp"
#include "base/named.hpp"

namespace kwb {

/// A private temporary folder with the included files, removed with the object. While it lives it is the
/// working directory of the process: so the compiler can be given a path that is the same each time, and a
/// driver that caches programs by their options (PoCL) finds them again. One at a time.
class IncludeFolder {
public:
    /// The folder's name as compiler messages show it.
    static constexpr const char* kName = "kwb-included";

    /// @param files  name as included ("tile.h", "sub/tile.h") → text; none: no folder is made
    /// @throws ClError  a name that leads out of the folder; EnvironmentError  the folder cannot be made
    explicit IncludeFolder(const NamedList<std::string>& files);
    IncludeFolder(const IncludeFolder&) = delete;
    IncludeFolder& operator=(const IncludeFolder&) = delete;
    ~IncludeFolder();

    /// "-Ikwb-included", or empty without files.
    std::string option() const;

private:
    void remove();

    std::string root_;
    Fd previous_;  ///< the working directory before
};

}  // namespace kwb
