// How a runner says that its own process is no longer what it was.
#pragma once

namespace kwb {

/// FailedReply::code_name of a failure that no request can have caused: a descriptor that is gone, a system
/// call that fails where it cannot. Whoever hears it ends the runner.
inline constexpr const char* kBrokenProcess = "KWB_BROKEN_PROCESS";

}  // namespace kwb
