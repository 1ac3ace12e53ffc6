// src/core/processes/mpi_calls.h: what comm.cpp asks of MPI, as plain functions of a module that is
// loaded only under a launcher: nobody else needs MPI's libraries, or waits for them to load.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection::comm {

/// Bytes to or from another process. Those between two processes arrive in the order they are sent.
struct Message {
  int peer = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

enum class Fold : std::uint8_t { least, most };

struct MpiCalls {
  /// Returns whether it worked.
  bool (*start)(int* rank, int* size);
  void (*exchange)(const Message* sends, std::size_t send_count, const Message* receives,
                   std::size_t receive_count);
  /// A message outside of all exchanges: whether one is waiting, from whom and how long.
  bool (*waiting)(int* peer, std::size_t* bytes);
  void (*send)(const Message& message);
  void (*receive)(const Message& message);
  void (*broadcast)(void* data, std::size_t bytes, int root);
  void (*add_up)(std::uint64_t* values, std::size_t count);
  void (*fold)(double* values, std::size_t count, Fold how);
  /// Waits without keeping a core busy until all processes have called it, or for so many seconds;
  /// negative = for ever. Returns whether all have.
  bool (*meet)(double seconds);
  void (*finish)();
  void (*abort)(int code);
};

/// The one function that the module exports.
inline constexpr const char* kMpiCallsName = "quickselection_mpi_calls";

}  // namespace quickselection::comm
