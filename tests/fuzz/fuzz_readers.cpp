// tests/fuzz/fuzz_readers.cpp: reads damaged files: every one gives data or an error, nothing else.
//
// usage: fuzz_readers [--format NAME] [--count N] [--seed S] [--first I] [--end J] [--verbose]
// Files of every format (written by make_fixtures.py) and of every kind that the program reads back
// (written by states.cpp), and of Arrow (arrow_files.cpp) where that was built in, are cut, flipped
// and mixed. Input I of seed S and count N is always the same, so that a long run can be done in
// parts, from I to J - 1. Fails for any exception that is no Error or InvalidArgument, for an
// allocation that the file does not justify, and by crashing. First come truncations of each file,
// then random damage, every other one behind checksums, compression and seals.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "arrow_files.h"
#include "core/processes/isolated.h"
#include "core/processes/limits.h"
#include "core/processes/memory_bound.h"
#include "damage.h"
#include "quickselection/dataset.h"
#include "quickselection/error.h"
#include "states.h"
#include "support/temp_folder.h"

namespace {

std::size_t largest_allocation = 0;  // since the last input began

void* allocate(std::size_t bytes) {
  largest_allocation = std::max(largest_allocation, bytes);
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  largest_allocation = std::max(largest_allocation, bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace quickselection {
namespace {

struct Options {
  std::string format;
  std::size_t count = 1000, first = 0, end = SIZE_MAX;
  unsigned seed = 1;
  bool verbose = false;
};

const std::map<std::string, std::vector<const char*>> kFiles{
    {"csv", {"pandas.csv", "pandas_semicolon.csv", "savetxt.csv", "pandas.csv.gz"}},
    {"npy", {"version1.npy", "version3.npy", "images_F.npy", "halves.npy"}},
    {"npz", {"stored.npz", "deflated.npz", "csr.npz", "csc.npz", "coo.npz", "named.npz"}},
    {"mat",
     {"u2_plain.mat", "f8_packed.mat", "sparse_plain.mat", "sparse_packed.mat", "cells_packed.mat",
      "big_endian.mat"}},
    {"mat73", {"seven.mat", "sparse73.mat"}},
    {"idx", {"u1.idx", "f4.idx", "i2-idx3-ubyte.gz"}},
    {"h5", {"single.h5", "plain.h5", "chunks.h5"}},
    {"h5ad", {"dense.h5ad", "sparse_csr.h5ad", "sparse_csc.h5ad"}},
    {"mtx", {"integer.mtx", "real.mtx", "symmetric.mtx", "array.mtx", "integer.mtx.gz"}},
    {"svmlight", {"zero_based.svm", "one_based.svmlight", "packed.libsvm.gz"}},
    {"har", {"har/train/X_train.txt"}},
    {"10x", {"tenx_old/matrix.mtx"}},
};

/// What is damaged: a file of the folder, and what is done with it at the path where it then is.
struct Subject {
  std::string folder, name;
  std::function<std::string(const std::string& path)> use;  ///< says what came out
  bool names_the_file = true;                               ///< in errors
};

std::string read_and_look(const std::string& path) {
  const Dataset data = read(path, {});
  double sum = 0;  // everything that was promised can be read
  for (std::size_t r = 0; r < std::min<std::size_t>(data.rows(), 50); ++r)
    for (std::size_t f = 0; f < std::min<std::size_t>(data.features(), 50); ++f)
      sum += data.at(r, f);
  sum += data.at(data.rows() - 1, data.features() - 1);
  return fmt::format("{} x {}, {}", data.rows(), data.features(), sum);
}

/// A file in memory, at the place where the reader looks for it.
class Target {
 public:
  Target(const std::string& folder, const std::string& name) {
    std::string pattern = access("/dev/shm", W_OK) == 0 ? "/dev/shm/quickselection.XXXXXX"
                                                        : "/tmp/quickselection.XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw Error("cannot make " + pattern);
    folder_ = pattern;
    const std::filesystem::path file = name;
    path_ = (folder_ / file.filename()).string();
    read_path_ = path_;
    if (!file.has_parent_path()) return;
    // The other files of the folder come along whole.
    std::filesystem::copy(std::filesystem::path(folder) / *file.begin(), folder_ / "data",
                          std::filesystem::copy_options::recursive);
    read_path_ = (folder_ / "data").string();
    path_ = (folder_ / "data" / std::filesystem::relative(file, *file.begin())).string();
  }
  ~Target() { std::filesystem::remove_all(folder_); }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  const std::string& read_path() const { return read_path_; }

 private:
  std::filesystem::path folder_;
  std::string path_, read_path_;
};

struct Outcome {
  std::size_t data = 0, errors = 0, crashes = 0;
};

/// Peak of the address space in bytes: it counts memory that was asked for and never touched.
std::size_t peak_space() {
  char text[4096];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  const ssize_t length = ::read(file, text, sizeof text);
  close(file);
  const std::string_view status(text, length < 0 ? 0 : static_cast<std::size_t>(length));
  const std::size_t at = status.find("VmPeak:");
  return at == status.npos ? 0 : std::strtoull(text + at + 7, nullptr, 10) * 1024;
}
std::size_t peak = peak_space();  // of this process so far

void try_one(const Subject& subject, const Target& target, const std::string& bytes,
             const std::string& what, std::size_t always, Outcome& outcome, bool verbose) {
  target.write(bytes);
  largest_allocation = 0;
  const std::size_t before = peak;
  try {
    const std::string result = subject.use(target.read_path());
    ++outcome.data;
    if (verbose) fmt::print("{}: {}\n", what, result);
  } catch (const Error& error) {
    ++outcome.errors;
    const std::string message = error.what();
    outcome.crashes += message.find("library could not read it") != std::string::npos;
    if (verbose) fmt::print("{}: {}\n", what, message);
    if (subject.names_the_file &&
        message.find(std::filesystem::path(target.read_path()).filename()) == std::string::npos) {
      fmt::print(stderr, "{}: the error does not name the file: {}\n", what, message);
      std::exit(1);
    }
  } catch (const InvalidArgument& error) {
    ++outcome.errors;
    if (verbose) fmt::print("{}: {}\n", what, error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", what, error.what());
    std::exit(1);
  }
  const std::size_t allowed = justified_bytes(std::max(bytes.size(), always));
  peak = peak_space();
  const std::size_t grown = peak - std::min(before, peak);
  if (largest_allocation > allowed || grown > 4 * allowed) {
    fmt::print(stderr, "{}: an allocation of {} bytes, {} in all, from a file of {}\n", what,
               largest_allocation, grown, bytes.size());
    std::exit(1);
  }
}

/// Formats whose reader starts a process for each file. Many inputs share one here, because
/// starting a process under a sanitizer takes longer than reading.
bool reads_in_a_child(const std::string& format) {
  return format == "h5" || format == "h5ad" || format == "mat73";
}
constexpr std::size_t kInputsOfAChild = 50;
/// An input that ends such a process is tried again alone, as the reader does it for everybody.
/// That takes seconds where the library loops without end, so only the first of them are.
constexpr std::size_t kTriedAlone = 10;

/// What a child has done so far, for the parent that may have to go on without it.
struct Shared {
  std::size_t done = 0;
  Outcome outcome;
};

/// Does try_input(i) for i from `begin` to `end` - 1 in children.
void try_in_children(std::size_t begin, std::size_t end, Outcome& outcome,
                     const std::function<void(std::size_t, Outcome&)>& try_input) {
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  while (begin < end) {
    Shared& shared = *new (memory) Shared{begin, outcome};
    const std::size_t stop = std::min(end, begin + kInputsOfAChild);
    try {
      run_isolated({"a fuzz input", "it crashed", 0}, [&] {
        peak = peak_space();
        for (; shared.done < stop; ++shared.done) {
          const itimerval most{{}, {0, 200'000}};  // of CPU for an input; most take 1 ms
          setitimer(ITIMER_PROF, &most, nullptr);
          Outcome now = shared.outcome;
          try_input(shared.done, now);
          shared.outcome = now;
        }
        return std::string();
      });
      begin = stop;
      outcome = shared.outcome;
    } catch (const Error&) {
      outcome = shared.outcome;
      if (outcome.crashes < kTriedAlone) {
        try_input(shared.done, outcome);
      } else {
        ++outcome.errors;
        ++outcome.crashes;
      }
      begin = shared.done + 1;
    }
  }
  munmap(memory, sizeof(Shared));
}

void fuzz(const std::string& format, const std::vector<Subject>& subjects, const Options& options) {
  Outcome outcome;
  std::size_t input = 0;
  for (const Subject& subject : subjects) {
    const std::string whole = read_text(std::filesystem::path(subject.folder) / subject.name);
    if (whole.empty()) throw Error(fmt::format("{} is missing", subject.name));
    const Target target(subject.folder, subject.name);
    const std::size_t share = std::max<std::size_t>(1, options.count / subjects.size());
    // Truncations take half of the share at most, evenly spread.
    const std::size_t cuts = std::min(whole.size(), share / 2);
    const auto within = [&](std::size_t limit) {
      return std::clamp(limit, input, input + share) - input;
    };
    const std::size_t begin = within(options.first), end = within(options.end);
    const auto try_input = [&](std::size_t i, Outcome& now) {
      std::mt19937 random(options.seed * 1'000'003u + static_cast<unsigned>(input + i));
      const std::string bytes = i < cuts     ? whole.substr(0, i * whole.size() / cuts)
                                : i % 2 == 0 ? damage(whole, random)
                                             : damage_inside(whole, random);
      try_one(subject, target, bytes,
              fmt::format("{} input {} ({})", format, input + i, subject.name), whole.size(), now,
              options.verbose);
    };
    if (reads_in_a_child(format) && !options.verbose)
      try_in_children(begin, end, outcome, try_input);
    else
      for (std::size_t i = begin; i < end; ++i) try_input(i, outcome);
    input += share;
  }
  fmt::print("{:<10} {:>8} inputs: {} gave data, {} errors, {} of them crashes of a library\n",
             format, outcome.data + outcome.errors, outcome.data, outcome.errors, outcome.crashes);
  std::fflush(stdout);
}

void fuzz_all(const Options& options) {
  const auto asked = [&](const std::string& format) {
    return options.format.empty() || options.format == format;
  };
  for (const auto& [format, names] : kFiles) {
    std::vector<Subject> subjects;
    for (const char* const name : names) subjects.push_back({QS_FIXTURES, name, read_and_look});
    if (asked(format)) fuzz(format, subjects, options);
  }
  if (!kArrowFiles.empty()) {
    const TempFolder arrow;
    write_arrow_files(arrow.path());
    for (const auto& [format, names] : kArrowFiles) {
      std::vector<Subject> subjects;
      for (const char* const name : names) {
        subjects.push_back({arrow.path(), name, read_and_look});
        read_and_look(arrow / name);  // starts the library's own threads
      }
      peak = peak_space();
      if (asked(format)) fuzz(format, subjects, options);
    }
  }
  const TempFolder states;
  write_states(states.path());
  for (const auto& [kind, names] : kStateFiles) {
    std::vector<Subject> subjects;
    for (const char* const name : names)
      subjects.push_back({states.path(), name,
                          [name](const std::string& path) {
                            use_state(name, path);
                            return std::string("used");
                          },
                          false});
    if (asked(kind)) fuzz(kind, subjects, options);
  }
}

}  // namespace
}  // namespace quickselection

int main(int argc, char** argv) {
  using namespace quickselection;
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (word == "--format")
      options.format = value;
    else if (word == "--count")
      options.count = std::strtoull(value, nullptr, 10);
    else if (word == "--first")
      options.first = std::strtoull(value, nullptr, 10);
    else if (word == "--end")
      options.end = std::strtoull(value, nullptr, 10);
    else if (word == "--seed")
      options.seed = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    else
      return fmt::print(stderr, "unknown option {}\n", word), 2;
    ++i;
  }
  const MemoryBound machine(0);  // looked up once, and not for every input
  fuzz_all(options);
}
