// What the exported documents have in common: a version, and how they are written.
#pragma once

#include <string>

#include "base/record_schema.hpp"

namespace kwb {

/// The rule for raising it is in schema/README.md.
using SchemaVersion = Constant<1>;
inline constexpr const char* kVersionMeaning = "Version of this document's form; see schema/README.md.";

inline constexpr int kJsonIndent = 2;

/// A described document, without the fields that only messages have.
template <class Document>
std::string document_text(const Document& document) {
    return dump_json(write_json(document, JsonUse::Document), kJsonIndent) + "\n";
}

template <class Document>
std::string schema_text(const char* title) {
    return dump_json(Schema().document<Document>(title), kJsonIndent) + "\n";
}

}  // namespace kwb
