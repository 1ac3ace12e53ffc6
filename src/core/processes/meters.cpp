// src/core/processes/meters.cpp: see meters.h.
#include "core/processes/meters.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

namespace quickselection {
namespace {

double seconds_of(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

template <class T>
std::optional<T> read_value(const std::filesystem::path& path) {
  std::ifstream file(path);
  T value{};
  if (file >> value) return value;
  return std::nullopt;
}

/// The number behind `name` in one of the system's lists.
std::optional<std::size_t> read_kilobytes(const std::filesystem::path& path, const char* name) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (std::size_t kilobytes = 0; word == name && file >> kilobytes) return kilobytes;
  return std::nullopt;
}

// A package is "intel-rapl:0"; its parts are "intel-rapl:0:1" and already counted in it. "psys"
// zones cover the packages a second time.
bool is_package(const std::filesystem::path& zone) {
  const std::string file = zone.filename().string();
  if (file.starts_with("intel-rapl-mmio")) return false;
  const auto colon = file.find(':');
  if (colon == std::string::npos || file.find(':', colon + 1) != std::string::npos) return false;
  return read_value<std::string>(zone / "name").value_or("").starts_with("package");
}

}  // namespace

std::size_t peak_rss_bytes() {
  // Not from getrusage: its figure survives exec, so that it may be that of the calling program.
  if (const auto kilobytes = read_kilobytes("/proc/self/status", "VmHWM:"))
    return *kilobytes * 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

bool restart_peak_rss() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << 5 << std::flush);
}

std::size_t resident_bytes(int process) {
  const std::string name = process == 0 ? "self" : std::to_string(process);
  return read_kilobytes("/proc/" + name + "/status", "VmRSS:").value_or(0) * 1024;
}

std::size_t address_space_bytes() {
  return read_kilobytes("/proc/self/status", "VmSize:").value_or(0) * 1024;
}

std::size_t data_bytes() {
  return read_kilobytes("/proc/self/status", "VmData:").value_or(0) * 1024;
}

std::size_t available_memory_bytes(const std::filesystem::path& root) {
  std::size_t available = SIZE_MAX;
  if (const auto kilobytes = read_kilobytes(root / "proc/meminfo", "MemAvailable:"))
    available = *kilobytes * 1024;
  // Within a container both versions show the process its own group at the top.
  const std::filesystem::path groups = root / "sys/fs/cgroup";
  for (const auto& [limit, used] : {std::pair{groups / "memory.max", groups / "memory.current"},
                                    std::pair{groups / "memory/memory.limit_in_bytes",
                                              groups / "memory/memory.usage_in_bytes"}}) {
    const auto most = read_value<std::uint64_t>(limit), now = read_value<std::uint64_t>(used);
    if (most && now) available = std::min<std::size_t>(available, *most > *now ? *most - *now : 0);
  }
  return available;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

EnergyMeter::EnergyMeter(const std::filesystem::path& powercap) : cpu_start_(cpu_seconds()) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(powercap, ignored)) {
    if (!is_package(entry.path())) continue;
    const auto now = read_value<std::uint64_t>(entry.path() / "energy_uj");
    const auto range = read_value<std::uint64_t>(entry.path() / "max_energy_range_uj");
    if (now && range) zones_.push_back({entry.path() / "energy_uj", *now, *range, 0});
  }
}

Energy EnergyMeter::read() {
  if (zones_.empty()) {
    const double joules = kAssumedWattsPerCore * (cpu_seconds() - cpu_start_);
    return {joules, fmt::format("estimate: {:g} W per core x CPU time", kAssumedWattsPerCore)};
  }
  std::uint64_t total = 0;
  for (auto& zone : zones_) {
    if (const auto now = read_value<std::uint64_t>(zone.counter)) {
      zone.microjoules += *now >= zone.last ? *now - zone.last : *now + zone.range - zone.last;
      zone.last = *now;
    }
    total += zone.microjoules;
  }
  return {1e-6 * static_cast<double>(total), "rapl (all packages of the machine)"};
}

}  // namespace quickselection
