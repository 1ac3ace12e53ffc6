// bench/csv_parse.cpp: how fast CSV is parsed on one core, beside how fast its bytes can be read.
// usage: bench_csv_parse [MEGABYTES] [FOLDER]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>

#include "core/files/atomic_file.h"
#include "data/io/mapped_file.h"
#include "kernels/random/random.h"
#include "quickselection/dataset.h"

namespace {

using namespace quickselection;

constexpr std::size_t kColumns = 500;

double seconds_of(const std::function<void()>& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The best of three, in MB/s.
double speed_of(std::size_t bytes, const std::function<void()>& body) {
  double best = seconds_of(body);
  for (int round = 0; round < 2; ++round) best = std::min(best, seconds_of(body));
  return static_cast<double>(bytes) / best / 1e6;
}

void write_table(const std::string& path, std::size_t bytes, const char* kind) {
  AtomicFile file(path);
  kernels::RandomStream random(1, kernels::Purpose::generator);
  std::string line;
  for (std::size_t written = 0; written < bytes; written += line.size()) {
    line.clear();
    for (std::size_t c = 0; c < kColumns; ++c) {
      const std::string_view wanted(kind);
      if (wanted == "pixels") {
        fmt::format_to(std::back_inserter(line), "{}", random.below(5) < 4 ? 0 : random.below(256));
      } else if (wanted == "short decimals") {
        fmt::format_to(std::back_inserter(line), "{:.4f}", 100 * random.normal());
      } else if (wanted == "full doubles") {
        fmt::format_to(std::back_inserter(line), "{}", random.normal());
      } else {
        fmt::format_to(std::back_inserter(line), "{:.6e}", random.normal());
      }
      line += c + 1 == kColumns ? '\n' : ',';
    }
    file.write(line);
  }
  file.commit();
}

std::uint64_t add_up(std::string_view text) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, sizeof word);
    sum += word;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200) * 1000000;
  const std::filesystem::path folder =
      argc > 2 ? std::filesystem::path(argv[2]) : std::filesystem::temp_directory_path();
  const std::string path = (folder / "quickselection_bench.csv").string();
  fmt::print("{:<16}{:>12}{:>12}{:>10}  {}\n", "values", "read MB/s", "parse MB/s", "ratio",
             "stored as");
  for (const char* kind : {"pixels", "short decimals", "full doubles", "scientific"}) {
    write_table(path, bytes, kind);
    const std::size_t size = std::filesystem::file_size(path);
    volatile std::uint64_t sink = 0;
    const double reading = speed_of(size, [&] { sink = sink + add_up(MappedFile(path).text()); });
    std::string type;
    const double parsing = speed_of(size, [&] { type = name_of(read(path).type()); });
    fmt::print("{:<16}{:>12.0f}{:>12.0f}{:>10.3f}  {}\n", kind, reading, parsing, parsing / reading,
               type);
  }
  std::filesystem::remove(path);
}
