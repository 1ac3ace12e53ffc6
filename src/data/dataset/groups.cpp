// src/data/dataset/groups.cpp: columns that are one feature together; see FeatureGroup.
#include <algorithm>

#include "core/iota.h"
#include "quickselection/dataset.h"

namespace quickselection {
namespace {

const FeatureGroup* group_at(const std::vector<FeatureGroup>& groups, std::size_t first) {
  const auto found = std::lower_bound(
      groups.begin(), groups.end(), first,
      [](const FeatureGroup& group, std::size_t column) { return group.begin < column; });
  return found != groups.end() && found->begin == first ? &*found : nullptr;
}

}  // namespace

std::vector<std::uint32_t> Dataset::ranked() const {
  if (groups.empty()) return iota(features());
  std::vector<std::uint32_t> first;
  for (std::uint32_t column = 0; column < features();) {
    first.push_back(column);
    const FeatureGroup* const group = group_at(groups, column);
    column = group == nullptr ? column + 1 : group->end;
  }
  return first;
}

std::size_t Dataset::ranked_count() const {
  std::size_t count = features();
  for (const FeatureGroup& group : groups) count -= group.end - group.begin - 1;
  return count;
}

std::string Dataset::ranked_name(std::size_t feature) const {
  const FeatureGroup* const group = group_at(groups, feature);
  return group == nullptr ? name(feature) : group->name;
}

std::vector<std::uint32_t> Dataset::columns_of(std::span<const std::uint32_t> ranked) const {
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t first : ranked) {
    const FeatureGroup* const group = group_at(groups, first);
    for (std::uint32_t c = first; c < (group == nullptr ? first + 1 : group->end); ++c)
      columns.push_back(c);
  }
  return columns;
}

}  // namespace quickselection
