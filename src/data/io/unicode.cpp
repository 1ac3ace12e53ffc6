// src/data/io/unicode.cpp: see unicode.h.
#include "data/io/unicode.h"

namespace quickselection {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

}  // namespace

void append_utf8(std::string& text, std::uint32_t letter) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (letter > 0x10ffff) letter = kReplacement;
  if (letter < 0x80) {
    put(letter);
    return;
  }
  if (letter < 0x800) {
    put(0xc0 | letter >> 6);
  } else if (letter < 0x10000) {
    put(0xe0 | letter >> 12);
    put(0x80 | (letter >> 6 & 0x3f));
  } else {
    put(0xf0 | letter >> 18);
    put(0x80 | (letter >> 12 & 0x3f));
    put(0x80 | (letter >> 6 & 0x3f));
  }
  put(0x80 | (letter & 0x3f));
}

std::string latin1_to_utf8(std::string_view text) {
  std::string letters;
  for (const char c : text) append_utf8(letters, static_cast<unsigned char>(c));
  return letters;
}

std::vector<std::uint32_t> utf8_letters(std::string_view text) {
  std::vector<std::uint32_t> letters;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    std::size_t more = first < 0x80    ? 0
                       : first >= 0xf8 ? 4
                       : first >= 0xf0 ? 3
                       : first >= 0xe0 ? 2
                       : first >= 0xc0 ? 1
                                       : 4;
    if (more == 4) {
      letters.push_back(kReplacement);
      continue;
    }
    std::uint32_t letter = more == 0 ? first : first & (0x3fu >> more);
    for (; more > 0 && i < text.size() && (text[i] & 0xc0) == 0x80; --more, ++i)
      letter = letter << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
    letters.push_back(more == 0 ? letter : kReplacement);
  }
  return letters;
}

std::string utf16_to_utf8(const std::vector<std::uint16_t>& units) {
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    std::uint32_t letter = units[i];
    if (letter >= 0xd800 && letter < 0xdc00 && i + 1 < units.size() && units[i + 1] >= 0xdc00 &&
        units[i + 1] < 0xe000)
      letter = 0x10000 + ((letter - 0xd800) << 10) + (units[++i] - 0xdc00u);
    append_utf8(text, letter);
  }
  return text;
}

}  // namespace quickselection
