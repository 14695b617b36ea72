// SPDX-License-Identifier: Apache-2.0
// Description of the document that kwb run --json writes. Include this only in .cpp files that write or read
// such documents, possibly with further keys.
#pragma once

#include <string>

#include "base/record_schema.hpp"
#include "model/result_fields.hpp"
#include "report/documents.hpp"

namespace kwb {

using SchemaVersion = Constant<kSchemaVersion>;
inline constexpr const char* kVersionMeaning = "Version of this format; see schema/README.md.";

inline constexpr int kDocumentIndent = 2;

/// JSON of a document, without the fields that are used only in messages between processes.
template <class Document>
std::string document_text(const Document& document) {
    return dump_json(write_json(document, JsonUse::Document), kDocumentIndent) + "\n";
}

template <class Fields>
void describe(Fields& f, PlacedEnvironment& place) {
    f.record("other_place", "A place other than the first.");
    f("place", place.place, "As in the results.");
    f("environment", place.environment);
}

/// @param document  has the members version, environment, other_places and results
template <class Fields, class Document>
void describe_results(Fields& f, Document& document) {
    f("schema_version", document.version, kVersionMeaning);
    f("environment", document.environment);
    f("other_places", document.other_places,
      "With several --on: the other places of measurement; `environment` describes the first place.");
    f("results", document.results, "In the order in which the kernels were named.");
}

}  // namespace kwb
