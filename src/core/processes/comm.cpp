// src/core/processes/comm.cpp: see comm.h.
#include "core/processes/comm.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <thread>

#include "core/pace.h"
#include "quickselection/error.h"

namespace quickselection::comm {
namespace {

constexpr int kInterrupted = 130;  // exit code of Ctrl-C

const MpiCalls* mpi = nullptr;  // only among several processes
int world_rank = 0, world_size = 1;
std::atomic<int> alone{0};
std::uint64_t sent = 0;

/// Processes that the launcher says it started, 0 = no launcher. Open MPI, PMIx (Slurm too), and
/// the older PMI; Slurm's own variables are also set where a script runs only once.
int launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const text = std::getenv(name)) return std::max(1, std::atoi(text));
  if (std::getenv("PMIX_RANK") == nullptr && std::getenv("PMI_RANK") == nullptr) return 0;
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return tasks != nullptr ? std::max(1, std::atoi(tasks)) : 1;
}

/// The module beside the program, where it is built, or in the folder of libraries, where it is
/// installed.
const MpiCalls* load() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  for (const char* place :
       {"quickselection-mpi.so", "../lib/quickselection/quickselection-mpi.so"}) {
    // MPI loads parts of itself, which look for its symbols among the global ones.
    void* const module = dlopen((program.parent_path() / place).c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) continue;
    if (void* const found = dlsym(module, kMpiCallsName))
      return reinterpret_cast<const MpiCalls* (*)()>(found)();
  }
  return nullptr;
}

bool several() { return mpi != nullptr && world_size > 1; }

std::string text_of(std::exception_ptr thrown, int& kind, std::string& hint) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const InvalidArgument& error) {
    kind = 2;
    hint = error.hint();
    return error.what();
  } catch (const Error& error) {
    kind = 1;
    hint = error.hint();
    return error.what();
  } catch (const Interrupted& error) {
    kind = 3;
    return error.what();
  } catch (const std::bad_alloc&) {
    kind = 4;
    return "out of memory";
  } catch (const std::exception& error) {
    kind = 1;
    return error.what();
  }
}

/// The lowest process whose number is not 0, or -1; and its number.
int first_of(int number, int& its) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(world_size));
  all[static_cast<std::size_t>(world_rank)] = static_cast<std::uint64_t>(number);
  mpi->add_up(all.data(), all.size());
  for (int r = 0; r < world_size; ++r)
    if (all[static_cast<std::size_t>(r)] != 0) {
      its = static_cast<int>(all[static_cast<std::size_t>(r)]);
      return r;
    }
  return -1;
}

std::string text_from(int root, std::string text) {
  std::uint64_t length = text.size();
  mpi->broadcast(&length, sizeof length, root);
  text.resize(length);
  mpi->broadcast(text.data(), length, root);
  return text;
}

}  // namespace

void start() {
  const int processes = launched();
  if (processes == 0) return;
  mpi = load();
  if (mpi == nullptr) {
    if (processes == 1) return;
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
      if (const char* const text = std::getenv(name)) world_rank = std::atoi(text);
    world_size = 1;
    throw Error(
        fmt::format("this is one of {} processes, but the program was built without MPI, or MPI is "
                    "not installed here",
                    processes),
        "install Open MPI and build with QS_MPI, or start one process");
  }
  if (!mpi->start(&world_rank, &world_size)) throw Error("MPI did not start");
}

int rank() { return alone > 0 ? 0 : world_rank; }
int started() { return world_size; }
bool speaks() { return world_rank == 0; }
int size() { return alone > 0 ? 1 : world_size; }
Alone::Alone() { ++alone; }
Alone::~Alone() { --alone; }

void exchange(std::span<const Message> sends, std::span<const Message> receives) {
  if (size() == 1) return;
  for (const Message& message : sends) sent += message.bytes;
  mpi->exchange(sends.data(), sends.size(), receives.data(), receives.size());
}

void broadcast(std::span<std::byte> data) {
  if (size() > 1) mpi->broadcast(data.data(), data.size(), 0);
}
std::string broadcast(std::string text) {
  return size() > 1 ? text_from(0, std::move(text)) : text;
}
void add_up(std::span<std::uint64_t> values) {
  if (size() > 1) mpi->add_up(values.data(), values.size());
}
void least(std::span<double> values) {
  if (size() > 1) mpi->fold(values.data(), values.size(), Fold::least);
}
void most(std::span<double> values) {
  if (size() > 1) mpi->fold(values.data(), values.size(), Fold::most);
}

void together(const std::function<void()>& body) {
  if (size() == 1) {
    body();
    return;
  }
  int kind = 0;
  std::string text, hint;
  try {
    body();
  } catch (...) {
    text = text_of(std::current_exception(), kind, hint);
  }
  const int root = first_of(kind, kind);
  if (root < 0) return;
  text = text_from(root, text);
  hint = text_from(root, hint);
  if (kind == 2) throw InvalidArgument(text, hint);
  if (kind == 3) throw Interrupted(text);
  if (kind == 4) throw std::bad_alloc();
  throw Error(text, hint);
}

Stop& stop() {
  static Stop only;
  return only;
}

std::uint64_t bytes_sent() { return sent; }
std::uint64_t& bytes_of_last_step() {
  static std::uint64_t bytes = 0;
  return bytes;
}

namespace {

/// What a message says. From a worker: it wants a piece, has made one, or stops and goes. To it: a
/// piece, the end, or that all stop.
enum class Word : char { wants, made, stops, piece, end };

const HandOut* work_now = nullptr;  // while hand_out runs among several processes
std::vector<bool> gone;             // at process 0: workers that ask no more
bool told = false;                  // at process 0: the others, that all stop

void say(int peer, Word word, std::uint64_t piece = 0, std::string_view text = {}) {
  std::string bytes(1, static_cast<char>(word));
  bytes.append(reinterpret_cast<const char*>(&piece), sizeof piece).append(text);
  mpi->send({peer, bytes.data(), bytes.size()});
}

struct Heard {
  int peer = 0;
  Word word = Word::end;
  std::uint64_t piece = 0;
  std::string text;
};

std::optional<Heard> hear() {
  Heard heard;
  std::size_t bytes = 0;
  if (!mpi->waiting(&heard.peer, &bytes)) return std::nullopt;
  std::string said(bytes, 0);
  mpi->receive({heard.peer, said.data(), bytes});
  heard.word = static_cast<Word>(said[0]);
  std::memcpy(&heard.piece, said.data() + 1, sizeof heard.piece);
  heard.text = said.substr(1 + sizeof heard.piece);
  return heard;
}

bool agreed() { return stop().agreed.load(); }

void answer(const Heard& heard) {
  const auto peer = static_cast<std::size_t>(heard.peer);
  if (heard.word == Word::stops) {
    gone[peer] = true;
    stop().agreed = true;
    return;
  }
  if (heard.word == Word::made) work_now->take(heard.piece, heard.text);
  const auto next = agreed() ? std::nullopt : work_now->next();
  if (next) {
    say(heard.peer, Word::piece, *next);
  } else {
    gone[peer] = true;
    say(heard.peer, Word::end);
  }
}

void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

/// Process 0: until all others are gone.
void wait_for_all() {
  const auto all = [] { return std::find(gone.begin(), gone.end(), false) == gone.end(); };
  while (!all()) {
    listen();
    if (!all()) rest();
  }
}

void lead() {
  try {
    while (const auto piece = work_now->next()) {
      work_now->take(*piece, work_now->make(*piece));
      listen();
      if (agreed()) break;
    }
    wait_for_all();
  } catch (const Interrupted&) {
    stop().agreed = true;
    wait_for_all();
    throw;
  }
  if (agreed()) throw Interrupted("stopped");
}

void follow() {
  try {
    say(0, Word::wants);
    for (;;) {
      if (stopping(stop().asked)) throw Interrupted("stopped");
      const std::optional<Heard> heard = hear();
      if (!heard) {
        rest();
        continue;
      }
      if (heard->word == Word::end) return;
      if (heard->word == Word::stops) throw Interrupted("stopped");
      const std::string made = work_now->make(heard->piece);
      say(0, Word::made, heard->piece, made);
    }
  } catch (const Interrupted&) {
    say(0, Word::stops);
    throw;
  }
}

}  // namespace

void listen() {
  if (work_now == nullptr) return;
  if (stopping(stop().asked)) stop().agreed = true;
  if (world_rank != 0) {  // who has a piece hears nothing but that all stop
    if (hear()) stop().agreed = true;
    return;
  }
  while (const auto heard = hear()) answer(*heard);
  if (!agreed() || told) return;
  told = true;
  for (std::size_t peer = 1; peer < gone.size(); ++peer)
    if (!gone[peer]) say(static_cast<int>(peer), Word::stops);
}

void hand_out(const HandOut& work, const std::atomic<bool>* asked) {
  if (world_size == 1) {
    while (const auto piece = work.next()) work.take(*piece, work.make(*piece));
    return;
  }
  work_now = &work;
  stop().asked = asked;
  told = false;
  gone.assign(static_cast<std::size_t>(world_size), false);
  gone[0] = true;
  struct End {
    ~End() { work_now = nullptr; }
  } end;
  world_rank == 0 ? lead() : follow();
}

int finish(const Outcome& own, const std::function<void(const Outcome&)>& say_it) {
  // A launcher ends all as soon as one process fails, and may lose what another has just said. So
  // the words come first, and time for the launcher to take them.
  const auto let_them_arrive = [] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); };
  Outcome all = own;
  if (all.code == kStopped) all.code = kInterrupted;
  if (mpi == nullptr) {
    if (speaks()) say_it(all);
    if (all.code != 0 && launched() > 1) {
      for (int times = speaks() ? 1 : 5; times > 0; --times) let_them_arrive();
    }
    return all.code;
  }
  if (several()) {
    // Longer for higher processes: one of those that fail speaks, and the others are ended.
    const double patience = own.code == 0 ? -1 : 1.5 + 0.3 * world_rank;
    if (!mpi->meet(patience)) {
      say_it(all);
      let_them_arrive();
      mpi->abort(all.code);
    }
    // Those that only followed a wish to stop do not know its code.
    int root = first_of(own.code == kStopped ? 0 : own.code, all.code);
    if (root < 0) root = first_of(own.code == kStopped ? kInterrupted : 0, all.code);
    if (root < 0) all.code = 0;
    int failed = 0;
    root = first_of(own.code == 0 ? 0 : 1, failed);
    if (root >= 0) all.lines = {text_from(root, fmt::format("{}", fmt::join(own.lines, "\n")))};
  }
  if (speaks()) say_it(all);
  if (all.code != 0 && several()) {
    if (speaks()) let_them_arrive();
    mpi->meet(-1);
  }
  mpi->finish();
  return all.code;
}

}  // namespace quickselection::comm
