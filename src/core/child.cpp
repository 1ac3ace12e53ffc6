// src/core/child.cpp: see child.h.
#include "core/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace quickselection {

void settle_child(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  limit_resource(RLIMIT_CORE, 0);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

bool restart_peak_rss() {
  const Descriptor file(open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC));
  return file >= 0 && write(file, "5", 1) == 1;
}

void limit_resource(int resource, unsigned long value) {
  rlimit limits{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limits) != 0) return;
  limits.rlim_cur = limits.rlim_max = std::min<rlim_t>(value, limits.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limits);
}

void send_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace quickselection
