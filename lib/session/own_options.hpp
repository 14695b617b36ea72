// What options say about a kernel that says nothing about itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "catalog/kernel_file.hpp"
#include "model/kernel_spec.hpp"
#include "model/result.hpp"

namespace kwb {

/// As typed; pieces are split but not understood.
struct OwnOptions {
    std::optional<std::string> problem;  ///< --problem matmul
    std::optional<std::string> entry;    ///< --entry NAME, the kernel function
    std::vector<std::string> args;       ///< --args C,A,B or n=M*N
    std::vector<std::string> global;     ///< --global "round_up(N,16),M"
    std::vector<std::string> local;      ///< --local 16x16 or TILE,TILE
    NamedList<std::string> defines;      ///< -D TILE=16
    NamedList<std::string> local_mem;    ///< --local-arg tile=TILE*TILE
    NamedList<std::string> init;         ///< --init C=0

    /// Nothing is said but perhaps a work-group in plain numbers.
    bool empty() const { return !problem && defines.empty() && launch_option().empty(); }

    /// The first option given that is about one kernel's launch, e.g. "--entry"; empty if there is none. A
    /// work-group in plain numbers is not among them: every kernel may be run with another one.
    std::string launch_option() const;

    /// `local` is whole numbers, or auto.
    bool has_plain_local() const;
};

/// Cut at the commas that stand in no brackets and no quotes; "16x16" is cut too.
/// @param option  for messages: "--global"
/// @throws BadInput  a piece is empty
std::vector<std::string> split_list(const std::string& option, std::string_view text);

/// "NAME=VALUE"; for `-D` also "NAME", which is 1.
/// @param example  of a right value, for the message
/// @throws BadInput  no name, no value, a name that is none in OpenCL C
Named<std::string> split_setting(const std::string& option, const std::string& text,
                                 const std::string& example);

/// The text of an option as an expression. @throws BadInput "--global 'round_up(': column 9: …"
Written option_expression(const std::string& option, const std::string& text);

/// The value of -D: a type's name stands for itself (`-D T=float4`), all else is an expression.
/// @throws BadInput
Written macro_expression(const Named<std::string>& define);

// Names in the options for somebody's kernel that mean nothing there, though a person may well expect it.

/// Look for macros that the source defines itself, and for sizes that are not separated ("WxH"), in what
/// options say about the launches and macros of `file`.
/// @param known  names that expressions may use beside `local.x` and the device's
/// @throws BadInput  with what to write instead
void refuse_misunderstood_names(const KernelFile& file, const std::vector<std::string>& known);

// Macros that a kernel's host program would have defined.

/// What to do about names that a compiler did not know and about an #error that asks for a macro.
/// @param file  that `result` is about
/// @return  a sentence: "if its host program defined LEN, say -D LEN=…", for a side-car "… add LEN = … to
///          [defines] of mine.cl.toml"; empty for a file with a front matter, whose author knows, and where
///          nothing of this kind is missing
std::string advise_macros(const KernelResult& result, const KernelFile& file);

}  // namespace kwb
