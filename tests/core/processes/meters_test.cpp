// tests/core/processes/meters_test.cpp
#include "core/processes/meters.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/temp_folder.h"

namespace quickselection {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A folder that looks like /sys/class/powercap.
class FakePowercap {
 public:
  void zone(std::string_view folder, std::string_view name, std::uint64_t microjoules,
            std::uint64_t range = 1'000'000'000) {
    write_text(folder_ / folder / "name", std::string(name) + "\n");
    write_text(folder_ / folder / "max_energy_range_uj", std::to_string(range) + "\n");
    set(folder, microjoules);
  }
  void set(std::string_view folder, std::uint64_t microjoules) {
    write_text(folder_ / folder / "energy_uj", std::to_string(microjoules) + "\n");
  }
  const std::filesystem::path& path() const { return folder_.path(); }
  const TempFolder& folder() const { return folder_; }

 private:
  TempFolder folder_;
};

/// Uses the processor for at least so many seconds.
void burn(double seconds) {
  volatile double sink = 1;
  for (const double start = cpu_seconds(); cpu_seconds() - start < seconds;)
    for (int i = 0; i < 10'000; ++i) sink = std::sqrt(sink + i);
}

constexpr std::size_t kMebibyte = 1 << 20;

void touch(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, bytes);
  munmap(memory, bytes);
}

TEST(PeakMemory, CanBeCountedAnew) {
  touch(200 * kMebibyte);
  const std::size_t before = peak_rss_bytes();
  ASSERT_GE(before, 200 * kMebibyte);
  if (!restart_peak_rss()) GTEST_SKIP() << "the system cannot restart the count";
  EXPECT_LT(peak_rss_bytes(), before - 100 * kMebibyte);
  touch(120 * kMebibyte);
  EXPECT_GE(peak_rss_bytes(), 120 * kMebibyte);
  EXPECT_LT(peak_rss_bytes(), before - 40 * kMebibyte);
}

TEST(EnergyMeter, SumsPackagesSinceItsConstruction) {
  FakePowercap powercap;
  powercap.zone("intel-rapl:0", "package-0", 5'000'000);
  powercap.zone("intel-rapl:1", "package-1", 7'000'000);
  EnergyMeter meter(powercap.path());
  EXPECT_EQ(meter.read().joules, 0);
  powercap.set("intel-rapl:0", 8'000'000);
  powercap.set("intel-rapl:1", 7'500'000);
  const Energy energy = meter.read();
  EXPECT_NEAR(energy.joules, 3.5, 1e-9);
  EXPECT_THAT(energy.source, StartsWith("rapl"));
  EXPECT_NEAR(meter.read().joules, 3.5, 1e-9) << "reading twice must not count twice";
}

TEST(EnergyMeter, LeavesOutPartsOfPackagesAndZonesThatCoverThemAgain) {
  FakePowercap powercap;
  const std::vector<std::string> others{"intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1",
                                        "intel-rapl-mmio:0", "dtpm"};
  powercap.zone("intel-rapl:0", "package-0", 0);
  powercap.zone("intel-rapl:0:0", "core", 0);
  powercap.zone("intel-rapl:0:1", "package-like", 0);
  powercap.zone("intel-rapl:1", "psys", 0);
  powercap.zone("intel-rapl-mmio:0", "package-0", 0);
  powercap.zone("dtpm", "package-9", 0);
  write_text(powercap.path() / "intel-rapl" / "enabled", "1\n");
  EnergyMeter meter(powercap.path());
  for (const auto& other : others) powercap.set(other, 90'000'000);
  powercap.set("intel-rapl:0", 2'000'000);
  EXPECT_NEAR(meter.read().joules, 2, 1e-9);
}

TEST(EnergyMeter, HandlesACounterThatWraps) {
  FakePowercap powercap;
  powercap.zone("intel-rapl:0", "package-0", 900'000, 1'000'000);
  EnergyMeter meter(powercap.path());
  powercap.set("intel-rapl:0", 100'000);
  EXPECT_NEAR(meter.read().joules, 0.2, 1e-9);
  powercap.set("intel-rapl:0", 50'000);
  EXPECT_NEAR(meter.read().joules, 0.2 + 0.95, 1e-9);
  powercap.set("intel-rapl:0", 60'000);
  EXPECT_NEAR(meter.read().joules, 0.2 + 0.95 + 0.01, 1e-9);
}

TEST(EnergyMeter, KeepsWhatItMeasuredWhenACounterDisappears) {
  FakePowercap powercap;
  powercap.zone("intel-rapl:0", "package-0", 0);
  EnergyMeter meter(powercap.path());
  powercap.set("intel-rapl:0", 4'000'000);
  EXPECT_NEAR(meter.read().joules, 4, 1e-9);
  std::filesystem::remove(powercap.path() / "intel-rapl:0" / "energy_uj");
  EXPECT_NEAR(meter.read().joules, 4, 1e-9);
}

TEST(EnergyMeter, EstimatesFromCpuTimeWhenThereIsNoCounter) {
  const TempFolder folder;
  const double before = cpu_seconds();
  EnergyMeter meter(folder.path() / "missing");
  const double constructed = cpu_seconds();
  burn(0.05);
  const double least = cpu_seconds() - constructed;
  const Energy energy = meter.read();
  const double most = cpu_seconds() - before;
  EXPECT_GE(energy.joules, kAssumedWattsPerCore * least);
  EXPECT_LE(energy.joules, kAssumedWattsPerCore * most);
  EXPECT_EQ(energy.source, "estimate: 10 W per core x CPU time");
}

TEST(EnergyMeter, EstimatesWhenCountersCannotBeRead) {
  FakePowercap powercap;
  // Where only the administrator may read the counters, opening one fails; a folder in its place
  // fails the same way for everybody.
  write_text(powercap.path() / "intel-rapl:0" / "name", "package-0\n");
  write_text(powercap.path() / "intel-rapl:0" / "max_energy_range_uj", "1000000\n");
  std::filesystem::create_directory(powercap.path() / "intel-rapl:0" / "energy_uj");
  powercap.zone("intel-rapl:1", "package-1", 5);
  write_text(powercap.path() / "intel-rapl:1" / "max_energy_range_uj", "");
  powercap.zone("intel-rapl:2", "package-2", 5);
  write_text(powercap.path() / "intel-rapl:2" / "energy_uj", "nonsense");
  EnergyMeter meter(powercap.path());
  EXPECT_THAT(meter.read().source, StartsWith("estimate"));
}

TEST(Meters, PeakMemoryCoversWhatWasTouched) {
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  const std::vector<char> block(kBytes, 1);
  EXPECT_GE(peak_rss_bytes(), block.size());
}

TEST(Meters, CpuSecondsGrowWithWork) {
  const double before = cpu_seconds();
  burn(0.02);
  EXPECT_GE(cpu_seconds() - before, 0.02);
}

TEST(AvailableMemory, IsTheLeastThatTheSystemSays) {
  TempFolder root;
  EXPECT_EQ(available_memory_bytes(root.path()), SIZE_MAX);
  write_text(root / "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n");
  EXPECT_EQ(available_memory_bytes(root.path()), 5000u * 1024);
  write_text(root / "sys/fs/cgroup/memory.max", "max\n");
  write_text(root / "sys/fs/cgroup/memory.current", "1000000\n");
  EXPECT_EQ(available_memory_bytes(root.path()), 5000u * 1024);
  write_text(root / "sys/fs/cgroup/memory.max", "3000000\n");
  EXPECT_EQ(available_memory_bytes(root.path()), 2000000u);
  write_text(root / "sys/fs/cgroup/memory.max", "900000\n");
  EXPECT_EQ(available_memory_bytes(root.path()), 0u);
}

TEST(AvailableMemory, IsKnownHere) {
  EXPECT_GT(available_memory_bytes(), 1'000'000u);
  EXPECT_GT(resident_bytes(), 1'000'000u);
  // The system brings the peak up to date with some delay.
  EXPECT_LE(resident_bytes(), peak_rss_bytes() + (std::size_t{16} << 20));
}

}  // namespace
}  // namespace quickselection
