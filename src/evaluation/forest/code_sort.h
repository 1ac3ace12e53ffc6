// src/evaluation/forest/code_sort.h: sorting a node's samples by their codes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection {

/// Sorts `keys` by their upper half, which lies in [least, most]. The result stands in `keys` or
/// in `spare`; returned is where. Both hold `n` numbers.
std::uint64_t* sort_by_code(std::uint64_t* keys, std::uint64_t* spare, std::size_t n,
                            std::uint32_t least, std::uint32_t most);

}  // namespace quickselection
