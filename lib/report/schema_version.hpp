// The version of the exported documents; the rule is in schema/README.md.
#pragma once

namespace kwb {

inline constexpr int kSchemaVersion = 1;
inline constexpr int kJsonIndent = 2;

}  // namespace kwb
