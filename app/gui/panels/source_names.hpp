// How the parts of the source panel name documents.
#pragma once

#include <string>

#include "desk/state.hpp"

namespace kwb::gui {

/// "source/tab/3": the id of a widget that belongs to a document.
std::string with_id(const char* name, DocumentId id);

/// Its file's name; two files of one name need their folders, too.
std::string tab_label(const DeskState& state, const Document& document);

}  // namespace kwb::gui
