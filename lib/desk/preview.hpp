// What a run would be, before it is begun: what fits, what does not, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "desk/choices.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// A parameter of a kernel as a person may choose it.
struct ParamPreview {
    std::string name;
    std::vector<std::string> values;  ///< that the file lists, the default first
    std::string chosen;
};

struct ContestantPreview {
    std::string label;  ///< unique in the run, short: "tiled", "tiled 8x8", "tiled TILE=32"
    std::string title;  ///< the file's
    std::string file;   ///< path; empty: the host's library
    std::vector<ParamPreview> params;
    std::vector<std::string> locals;      ///< work-groups worth offering, "16x16"; the kernel's own first
    bool unreadable = false;              ///< the file says nothing that could run: `obstacle` says why
    bool unsaved = false;                 ///< the text that would run, or a neighbour's, is in no file
    std::string geometry;                 ///< "64 × 64 work-groups of 16 × 16"; empty if there is none yet
    std::optional<std::string> obstacle;  ///< why it cannot run like this: a sentence with the remedy
    std::vector<std::string> warnings;    ///< e.g. would not fit a typical GPU
};

struct Preview {
    std::vector<ContestantPreview> contestants;  ///< as in Choices
    std::optional<std::string> obstacle;         ///< nothing can run: a sentence with the remedy
    std::uint64_t device_bytes = 0;              ///< of all buffers
    /// What Run would ask for; there unless `obstacle` is. A contestant with an obstacle of its own is in it
    /// and gets its verdict.
    std::optional<RunRequest> request;
};

/// Files opened for a run, by the name in ContestantChoice: a kernel, or the sentence why it cannot be read.
struct OpenedKernel {
    std::optional<KernelFile> kernel;
    std::string error;
    /// Of its source, as far as that has been read; of an edited text, those of the file.
    std::optional<std::vector<SourceKernel>> functions = {};
    std::string fingerprint = {};  ///< of all that it is made of, or of the sentence
    bool unsaved = false;          ///< it is read with texts that are in no file yet
};
using OpenedKernels = NamedList<OpenedKernel>;

/// @param kernels  has every kernel that `choices` names, but kHostBlasName; texts being edited included
/// @param device   none: no device has been found
/// @param free_memory_bytes  of the machine where results are checked: DeviceList::free_memory_bytes
/// Never throws because of what a person chose: that is what obstacles are for.
Preview make_preview(const Choices& choices, const OpenedKernels& kernels, const DeviceInfo* device,
                     std::uint64_t free_memory_bytes = 0);

}  // namespace kwb
