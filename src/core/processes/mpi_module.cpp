// src/core/processes/mpi_module.cpp: the calls of mpi_calls.h, by MPI. The only file that knows
// MPI, and no part of the library: comm.cpp loads it under a launcher.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <thread>
#include <vector>

#include "core/processes/mpi_calls.h"

namespace quickselection::comm {
namespace {

constexpr int kTag = 1, kWorkTag = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of a message: MPI counts with int

bool start(int* rank, int* size) {
  int given = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) return false;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return given >= MPI_THREAD_FUNNELED;
}

/// body(data, bytes) for pieces that MPI can count.
void in_pieces(const Message& message, auto&& body) {
  auto* data = static_cast<char*>(message.data);
  for (std::size_t done = 0; done < message.bytes; done += kMostBytes)
    body(data + done, static_cast<int>(std::min(kMostBytes, message.bytes - done)));
}

void exchange(const Message* sends, std::size_t send_count, const Message* receives,
              std::size_t receive_count) {
  static std::vector<MPI_Request> requests;
  requests.clear();
  for (std::size_t i = 0; i < receive_count; ++i)
    in_pieces(receives[i], [&](char* data, int bytes) {
      MPI_Irecv(data, bytes, MPI_BYTE, receives[i].peer, kTag, MPI_COMM_WORLD,
                &requests.emplace_back());
    });
  for (std::size_t i = 0; i < send_count; ++i)
    in_pieces(sends[i], [&](char* data, int bytes) {
      MPI_Isend(data, bytes, MPI_BYTE, sends[i].peer, kTag, MPI_COMM_WORLD,
                &requests.emplace_back());
    });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

bool waiting(int* peer, std::size_t* bytes) {
  int found = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kWorkTag, MPI_COMM_WORLD, &found, &status);
  if (found == 0) return false;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *peer = status.MPI_SOURCE;
  *bytes = static_cast<std::size_t>(count);
  return true;
}

void send(const Message& message) {
  MPI_Send(message.data, static_cast<int>(message.bytes), MPI_BYTE, message.peer, kWorkTag,
           MPI_COMM_WORLD);
}

void receive(const Message& message) {
  MPI_Recv(message.data, static_cast<int>(message.bytes), MPI_BYTE, message.peer, kWorkTag,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void broadcast(void* data, std::size_t bytes, int root) {
  in_pieces({root, data, bytes}, [&](char* piece, int count) {
    MPI_Bcast(piece, count, MPI_BYTE, root, MPI_COMM_WORLD);
  });
}

void add_up(std::uint64_t* values, std::size_t count) {
  MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_UINT64_T, MPI_SUM,
                MPI_COMM_WORLD);
}

void fold(double* values, std::size_t count, Fold how) {
  MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_DOUBLE,
                how == Fold::least ? MPI_MIN : MPI_MAX, MPI_COMM_WORLD);
}

bool meet(double seconds) {
  using Clock = std::chrono::steady_clock;
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  const auto begin = Clock::now();
  for (int tries = 0;; ++tries) {
    int all = 0;
    MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    if (all != 0) return true;
    if (seconds >= 0 && Clock::now() - begin > std::chrono::duration<double>(seconds)) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(100 * (tries + 1), 5000)));
  }
}

void finish() { MPI_Finalize(); }

void abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

constexpr MpiCalls kCalls{start,  exchange, waiting, send,   receive, broadcast,
                          add_up, fold,     meet,    finish, abort};

}  // namespace
}  // namespace quickselection::comm

extern "C" __attribute__((visibility("default"))) const quickselection::comm::MpiCalls*
quickselection_mpi_calls() {
  return &quickselection::comm::kCalls;
}
