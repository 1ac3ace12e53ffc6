// src/data/io/unicode.h: UTF-8 and the fixed-size letters that some formats store instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quickselection {

void append_utf8(std::string& text, std::uint32_t letter);

/// Text in Latin-1, each byte one letter, as UTF-8.
std::string latin1_to_utf8(std::string_view text);

/// The letters of a UTF-8 text; what is no UTF-8 becomes U+FFFD.
std::vector<std::uint32_t> utf8_letters(std::string_view text);

/// UTF-16 in this machine's byte order to UTF-8.
std::string utf16_to_utf8(const std::vector<std::uint16_t>& units);

}  // namespace quickselection
