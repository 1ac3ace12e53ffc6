// src/core/processes/meters.h: time, memory and energy of this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace quickselection {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Highest resident memory of this process so far.
std::size_t peak_rss_bytes();

/// From now on peak_rss_bytes() is the highest since this call; what went before is forgotten.
/// False where the system cannot do that.
bool restart_peak_rss();

/// Resident memory now, of this process or of another one by its number; 0 when that is gone.
std::size_t resident_bytes(int process = 0);

/// All memory that this process has mapped, used or not.
std::size_t address_space_bytes();
/// That of it which is its own to write: heap and anonymous mappings, used or not.
std::size_t data_bytes();

/// Memory that this process may still use without pushing others out, as far as the system says: of
/// the machine and of the control groups that hold the process. SIZE_MAX when nothing is known.
std::size_t available_memory_bytes(const std::filesystem::path& root = "/");

/// CPU time of all threads of this process.
double cpu_seconds();

struct Energy {
  double joules = 0;
  std::string source;  ///< "rapl", or how it was estimated
};

/// Measures from its construction. Reads the Linux powercap counters (RAPL) of whole packages where
/// they are readable; otherwise estimates watts per core x CPU time, and says so.
class EnergyMeter {
 public:
  explicit EnergyMeter(const std::filesystem::path& powercap = "/sys/class/powercap");
  /// Energy since construction. Call it at least once an hour on a busy machine: a counter that
  /// wraps more than once between two calls cannot be noticed.
  Energy read();

 private:
  struct Zone {
    std::filesystem::path counter;
    std::uint64_t last = 0, range = 0, microjoules = 0;
  };
  std::vector<Zone> zones_;
  double cpu_start_ = 0;
};

/// What was measured around a library call.
struct Measured {
  double read_seconds = 0, total_seconds = 0;
  Energy energy;
};

/// What a busy core is assumed to draw when nothing can be measured.
inline constexpr double kAssumedWattsPerCore = 10.0;

}  // namespace quickselection
