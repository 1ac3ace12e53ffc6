// src/core/text/visible.h: texts from files as a person may read them.
#pragma once

#include <string>
#include <string_view>

namespace quickselection {

/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

/// The text as a person may read it on a terminal or in a message: control characters, letters that
/// change the direction of writing, and bytes that are no UTF-8 are written as \x1b or \u202e, so
/// that a name in somebody's data cannot move the cursor or hide a line. With `lines`, line breaks
/// and tabs stay.
std::string visible(std::string_view text, bool lines = false);

}  // namespace quickselection
