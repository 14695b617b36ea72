// SPDX-License-Identifier: Apache-2.0
// Preview of a run before it starts: what fits, what does not, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalog/kernel_file.hpp"
#include "experiment/experiment.hpp"
#include "experiment/own_guess.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// A parameter of a kernel and the values that the user can choose.
struct ParamPreview {
    std::string name;
    std::vector<std::string> values;  ///< those listed in the file, default first
    std::string chosen;
};

/// The NDRange of a kernel's launch, for drawing.
struct LaunchShape {
    std::vector<std::uint64_t>
        global;  ///< 1 to 3 extents, work-items; empty: unknown, or there are several launches
    std::vector<std::uint64_t> local;  ///< the same number; empty: the driver chooses
    /// For each dimension, the size ("N") of which each index has one work-item, rounded up to whole
    /// work-groups. Empty: none.
    std::vector<std::string> along;
    /// The local memory of each work-group; empty: none, or unknown.
    std::vector<LocalArray> local_arrays = {};
};

/// The launch of a file that does not define one, as far as it is known.
struct CompletedLaunch {
    struct Argument {
        std::string parameter;
        std::string type;   ///< "global const float*"
        std::string value;  ///< a buffer, a size or an expression; "16 * 16 elements"; empty: not known
        ArgumentOffer offer = {};
        bool is_local() const { return type.starts_with("local "); }
    };
    std::string function;             ///< empty: none is chosen
    std::vector<Argument> arguments;  ///< in the order of the source
    std::string global;               ///< "round_up(N, 16), M"; empty: not known
    std::string local;                ///< empty: the driver chooses, or not known
    bool is_by_order = false;  ///< values without names were typed, so which argument lacks one is open
    // To choose from; empty without a problem.
    std::vector<std::string> macros;   ///< values
    std::vector<std::string> ranges;   ///< of `global`
    std::vector<std::string> outputs;  ///< buffers

    /// Some argument has no value, but each of these has a guess, which a person has to confirm.
    bool is_guessed() const;
    /// What a person has to choose, as a clause: "choose what is passed for n"; empty: nothing that is known.
    std::string missing() const;
};

struct Preview {
    struct Contestant {
        std::string label;  ///< unique within the run, short: "tiled", "tiled 8x8", "tiled TILE=32"
        std::string title;  ///< title from the file
        std::string file;   ///< path; empty for cpu:blas
        std::vector<ParamPreview> params;
        std::vector<std::string> locals;  ///< suggested work-group sizes, "16x16"; the kernel's default first
        bool unreadable = false;          ///< the file contains nothing that can run; see `obstacle`
        bool is_bare = false;             ///< as OpenedKernel::is_bare
        bool may_keep = false;            ///< as OpenedKernel::may_keep
        std::vector<std::string> notes;   ///< as OpenedKernel::notes
        std::vector<std::string>
            functions;              ///< is_bare: the kernel functions of its source, once it is parsed
        CompletedLaunch completed;  ///< is_bare
        std::vector<std::string> missing_macros;  ///< as OpenedKernel::missing_macros
        bool unsaved = false;                     ///< its text or that of an included file has not been saved
        LaunchShape launch;
        std::string geometry;                 ///< "64 × 64 work-groups of 16 × 16"; empty if unknown
        std::optional<std::string> obstacle;  ///< a sentence: why it cannot run, and the remedy
        std::optional<FilePlace> place;       ///< of the obstacle in the user's files, if it is there
        std::vector<std::string> warnings;    ///< e.g. does not fit a typical GPU
    };

    std::vector<Contestant> contestants;  ///< in the order of Experiment::contestants
    std::optional<std::string> obstacle;  ///< a sentence: why nothing can run, and the remedy
    std::uint64_t device_bytes = 0;       ///< total size of all buffers
    /// The request that Run submits; empty if there is an `obstacle`. It includes contestants with their own
    /// obstacle, which get the corresponding verdict.
    std::optional<RunRequest> request;
};

/// A kernel opened for a run, or a sentence: why it cannot be read. Listed by
/// Experiment::Contestant::kernel.
struct OpenedKernel {
    std::optional<KernelFile> kernel;
    std::string error;
    std::optional<FilePlace> place = {};  ///< of the error
    /// Of its source, if that has been parsed already; for an edited text, those of the file on disk.
    std::optional<std::vector<SourceKernel>> functions = {};
    /// Its file has no launch: it was completed from its source, the problem and OwnText, or could not be.
    bool is_bare = false;
    bool problem_is_chosen = false;       ///< the file names none, so it is assumed to solve the chosen one
    std::string assumed_problem = {};     ///< a sentence about that; empty: the source is not read yet
    bool may_keep = false;                ///< neither front matter nor side-car declares anything
    std::vector<std::string> notes = {};  ///< what was deduced, one line each
    /// is_bare: names that its source uses, and that neither it nor OwnText defines.
    std::vector<std::string> missing_macros = {};
    std::string fingerprint = {};  ///< hash of everything that makes up the kernel, or the error sentence
    bool unsaved = false;          ///< read with texts that have not been saved
};
using OpenedKernels = NamedList<OpenedKernel>;

/// The purpose of a preview. Choosing what X-ray observes takes a millisecond per kernel, too long while the
/// user types.
enum class PreviewFor { Screen, Run };

/// @param kernels  every kernel that `choices` names, except kHostBlasName; with unsaved texts
/// @param device   nullptr if no device was found
/// @param known    the devices that contestants may name, and the free memory of the machine that checks the
///                 results
/// Does not throw because of the user's choices: problems become obstacles.
Preview make_preview(const Experiment& choices, const OpenedKernels& kernels, const DeviceInfo* device,
                     const DeviceList& known = {}, PreviewFor purpose = PreviewFor::Screen);

}  // namespace kwb
