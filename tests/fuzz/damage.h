// tests/fuzz/damage.h: damage to the bytes of a file, outside and inside of what guards them.
#pragma once

#include <random>
#include <string>

namespace quickselection {

/// Bit flips, bytes, cuts, blocks copied or doubled, and numbers that are too large.
std::string damage(const std::string& whole, std::mt19937& random);

/// The same behind what would give it away: a gzip file, a member of a zip archive or a compressed
/// part of a MATLAB file is unpacked, damaged and packed again, with its checksum and its length; a
/// sealed file gets a new seal, and a value of its header or of a JSON file becomes another one.
/// Other files are damaged as they are.
std::string damage_inside(const std::string& whole, std::mt19937& random);

}  // namespace quickselection
