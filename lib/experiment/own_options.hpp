// SPDX-License-Identifier: Apache-2.0
// Command-line options that describe a kernel whose file has no declarations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "catalog/kernel_file.hpp"
#include "model/kernel_spec.hpp"
#include "model/result.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// The options as typed, split into pieces but not parsed further.
struct OwnOptions {
    std::optional<std::string> problem;  ///< --problem matmul
    std::optional<std::string> entry;    ///< --entry NAME, the kernel function
    std::vector<std::string> args;       ///< --args C,A,B or n=M*N
    std::vector<std::string> global;     ///< --global "round_up(N,16),M"
    std::vector<std::string> local;      ///< --local 16x16 or TILE,TILE
    NamedList<std::string> defines;      ///< -D TILE=16
    NamedList<std::string> local_mem;    ///< --local-arg tile=TILE*TILE
    NamedList<std::string> init;         ///< --init C=0
    std::string build_options;           ///< --build-options -cl-opt-disable, for each kernel

    /// True if no option is given, apart from a work-group in plain numbers.
    bool empty() const {
        return !problem && defines.empty() && build_options.empty() && launch_option().empty();
    }

    /// The first given option that describes the launch of one kernel, e.g. "--entry"; empty if there is
    /// none. A work-group in plain numbers does not count, because it can be chosen for every kernel.
    std::string launch_option() const;

    /// True if `local` holds only whole numbers, or is "auto".
    bool has_plain_local() const;
};

/// Split at the commas outside brackets and quotes. Except for --args, "16x16" is split, too.
/// @param option  for messages: "--global"
/// @throws BadInput  a piece is empty
std::vector<std::string> split_list(const std::string& option, std::string_view text);

/// Parse "NAME=VALUE"; for `-D` also "NAME", whose value is 1.
/// @param example  of correct text, for the message
/// @throws BadInput  no name, no value, or a name that is not an identifier of OpenCL C
Named<std::string> split_setting(const std::string& option, const std::string& text,
                                 const std::string& example);

/// Parse the text of an option as an expression.
/// @throws BadInput  "--global 'round_up(': column 9: …"
Written option_expression(const std::string& option, const std::string& text);

/// Parse the value of -D: the name of a type (`-D T=float4`) or an expression.
/// @throws BadInput  the value is neither
Written macro_expression(const Named<std::string>& define);

// Names that users expect to work in options, but which are unknown there.

/// Search the launches and macros of `file` that come from options for macros defined in the source, and for
/// sizes separated by x ("WxH").
/// @param known  names that expressions may use, apart from dotted ones (`local.x`, `device.…`)
/// @throws BadInput with the correct form
void refuse_misunderstood_names(const KernelFile& file, const std::vector<std::string>& known);

// Advice on what the original host program of a kernel did for it.

/// Undefined names that the source uses, at most four: possibly macros of the host program.
/// @param program  the file's source as it was parsed
std::vector<std::string> missing_macros(const source::Program& program, const KernelFile& file);

/// Advice about names that the compiler did not know, an #error that requests a macro, and an output that
/// must be cleared.
/// @param file  the file that `result` is about
/// @return  a sentence: "if its host program defined LEN, use -D LEN=…"; for a file with a side-car "… add
///          LEN = … to [defines] of mine.cl.toml". Empty if nothing seems to be missing, and for a file with
///          a front matter, which was written for this program.
std::string advise_options(const KernelResult& result, const KernelFile& file);

}  // namespace kwb
