// tests/core/files/hash_test.cpp
#include "core/files/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace quickselection {
namespace {

std::uint64_t hash_of(const std::string& text, std::size_t piece) {
  Hash hash;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::string part = text.substr(at, piece);
    hash.add(part.data(), part.size());
  }
  return hash.value();
}

TEST(Hash, DependsOnTheBytesAndNotOnTheirPieces) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    for (std::size_t piece = 1; piece < 20; ++piece)
      EXPECT_EQ(hash_of(text, piece), hash_of(text, 1000)) << i << ' ' << piece;
    text += static_cast<char>(i * 37);
  }
}

TEST(Hash, NoticesEveryByteAndTheLength) {
  std::set<std::uint64_t> seen;
  std::string text(20, '\0');
  for (std::size_t length = 0; length <= text.size(); ++length)
    EXPECT_TRUE(seen.insert(hash_of(text.substr(0, length), 1000)).second) << length;
  for (char& c : text) {
    c = 1;
    EXPECT_TRUE(seen.insert(hash_of(text, 1000)).second);
    c = 0;
  }
}

}  // namespace
}  // namespace quickselection
