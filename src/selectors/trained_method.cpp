// src/selectors/trained_method.cpp: see trained_method.h.
#include "selectors/trained_method.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/dispatch.h"
#include "quickselection/error.h"

namespace quickselection {

Identity identity_of(const MethodInput& in, const Method& method, std::span<const Setting> options,
                     std::span<const std::string_view> left_out, std::size_t shards) {
  const Windows windows = plan_windows(in.data, in.context.memory, shards);
  Identity identity = {
      {"method", std::string(method.name)},
      {"rows", static_cast<std::int64_t>(in.data.rows())},
      {"features", static_cast<std::int64_t>(in.data.features())},
      {"stored type", std::string(name_of(in.data.type()))},
      {"‹seed›", fmt::format("{}", in.seed)},
      {"‹scale›", std::string(name_of(in.scaler.mode))},
      {"‹clip›", static_cast<double>(in.scaler.clip)},
      {"SIMD level", kernels::level()},
  };
  if (method.needs_k != nullptr && method.needs_k(in.given))
    identity.push_back({"‹k›", static_cast<std::int64_t>(in.k)});
  for (const auto& [name, value] : options)
    if (std::find(left_out.begin(), left_out.end(), name) == left_out.end())
      identity.push_back({"‹" + name + "›", value});
  // These depend on ‹shards›, which is to be named first.
  identity.push_back({"rows in a block (‹memory›)", static_cast<std::int64_t>(windows.block_rows)});
  identity.push_back({"blocks in a window (‹memory›)", static_cast<std::int64_t>(windows.blocks)});
  identity.push_back({"hash of the data", fmt::format("{:016x}", fingerprint(in.data, shards))});
  return identity;
}

void check_not_beyond(const TrainingState& state, std::uint32_t most, const std::string& path) {
  if (state.epoch > most || (state.epoch == most && state.batch > 0))
    throw InvalidArgument(
        fmt::format("{} is already at epoch {}, beyond ‹epochs {}›", path, state.epoch, most));
}

}  // namespace quickselection
