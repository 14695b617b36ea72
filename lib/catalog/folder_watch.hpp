// What happens in some folders, by inotify.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fd.hpp"

namespace kwb {

struct FolderEvent {
    enum class Kind {
        Written,  ///< a file's content
        Closed,   ///< a file that was open for writing
        Entry,    ///< a name appeared, went, or is another file's now
        Lost      ///< the folder itself went, or events were lost: look at everything again
    };
    Kind kind = Kind::Lost;
    int folder = -1;   ///< as FolderWatch::watch() returned it; -1: any
    std::string name;  ///< in the folder
};

/// Not for use by several threads at once; never blocks.
class FolderWatch {
public:
    /// Watch exactly these folders from now on; those that are watched already stay so without a gap.
    /// @return  a number for each folder that can be watched; two paths to one folder have the same
    std::map<std::filesystem::path, int> watch(const std::set<std::filesystem::path>& folders);

    /// Why the last watch() left folders out; empty if it did not.
    const std::map<std::filesystem::path, std::string>& refusals() const { return refusals_; }

    /// @return  events since the last call, in their order
    std::vector<FolderEvent> take_events();

    /// Readable when there are events; -1 as long as no folder could be watched. Stays the same from then on.
    int fd() const { return inotify_.get(); }

private:
    Fd inotify_;
    std::set<int> watched_;
    std::map<std::filesystem::path, std::string> refusals_;
};

}  // namespace kwb
