// SPDX-License-Identifier: Apache-2.0
// A run or sweep of the history as a JSON document.
#pragma once

#include <string>
#include <string_view>

#include "store/history.hpp"

namespace kwb {

/// The document that `kwb run --json` writes (schema/results.schema.json), with one more key, "history": what
/// the window shows besides the results. Error maps are coarsened to 128 x 128 cells, a quarter of the
/// resolution shown right after the run.
std::string run_document(const PastRun& run);

/// Keys that an older version did not write get their defaults.
/// @return  without an id
/// @throws ProtocolError  not such a document
PastRun parse_run(std::string_view text);

/// Without an id.
RunSummary summary_of(const PastRun& run);

}  // namespace kwb
