// SPDX-License-Identifier: Apache-2.0
// All attempts at the lessons that are shipped, with what must be said of each: lessons/*/attempts.toml.
#include "kwb.hpp"

namespace kwb::test {

TEST_CASE("every attempt at a lesson is told what is wrong with it") {
    const Finished verified = run_kwb({"learn", "--verify", KWB_SHIPPED_LESSONS});
    INFO(verified.out << verified.err);
    CHECK(verified.exit_code == 0);
}

}  // namespace kwb::test
