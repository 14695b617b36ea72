// What a result says where a problem's reference came to nothing.
#pragma once

#include <string_view>

namespace kwb {

/// How the reason begins: no kernel could be judged, and none is to blame.
inline constexpr std::string_view kNoTruth = "there is nothing to compare with: the reference ";

}  // namespace kwb
