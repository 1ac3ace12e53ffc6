/* tests/faults/faults.c: preloaded, makes one call of a program fail: the FAULT_AT-th of the kind
 * FAULT_CALL, counted over all its threads and processes in the file FAULT_STATE. With
 * FAULT_NO_TMPFILE the file system has no files without names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Kinds of calls and the error of each. faults.py reads the names from these lines. */
#define KINDS(K) \
  K(open, EMFILE) \
  K(read, EIO) \
  K(write, ENOSPC) \
  K(flush, ENOSPC) \
  K(fsync, EIO) \
  K(rename, EIO) \
  K(link, EIO) \
  K(unlink, EIO) \
  K(truncate, EIO) \
  K(permissions, EPERM) \
  K(stat, EIO) \
  K(seek, EIO) \
  K(mmap, ENOMEM) \
  K(memfd, EMFILE) \
  K(pipe, EMFILE) \
  K(fork, EAGAIN) \
  K(thread, EAGAIN) \
  K(wait, EINTR) \
  K(poll, EINTR) \
  K(dup, EMFILE) \
  K(lock, ENOLCK) \
  K(mkdir, EACCES) \
  K(memory, ENOMEM) \
  K(thread_memory, ENOMEM) /* the same, of all threads but the first */

#define NAME(name, code) kind_##name,
#define TEXT(name, code) #name,
#define CODE(name, code) code,
enum { KINDS(NAME) kinds };
static const char* const names[] = {KINDS(TEXT)};
static const int codes[] = {KINDS(CODE)};

/* Shared by all processes: whether calls count, how many of each kind there were. */
static struct State {
  atomic_long armed, failed, count[kinds];
}* state;
static long fails_at;
static int fails_kind = -1;
static const char* only; /* the part of a file name: memory is asked for by this library */

void fault_arm(long on) {
  if (state) atomic_store(&state->armed, on);
}

__attribute__((constructor)) static void begin(void) {
  const char* const path = getenv("FAULT_STATE");
  if (path == NULL) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* const map = (void*)syscall(SYS_mmap, NULL, sizeof *state, PROT_READ | PROT_WRITE,
                                   MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (map == MAP_FAILED) return;
  const char* const kind = getenv("FAULT_CALL");
  for (int i = 0; kind && i < kinds; ++i)
    if (strcmp(names[i], kind) == 0) fails_kind = i;
  fails_at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
  only = getenv("FAULT_ONLY");
  state = map;
  if (getenv("FAULT_WAITS") == NULL) fault_arm(1);
}

static int due(int kind) {
  if (!state || !atomic_load(&state->armed)) return 0;
  const long number = atomic_fetch_add(&state->count[kind], 1) + 1;
  if (kind != fails_kind || number != fails_at) return 0;
  atomic_store(&state->failed, 1);
  errno = codes[kind];
  return 1;
}

#define REAL(result, name, params) \
  static result(*real) params; \
  if (!real) real = (result(*) params)dlsym(RTLD_NEXT, #name)
#define FAULT(kind, result, name, params, args, bad) \
  result name params { \
    REAL(result, name, params); \
    return due(kind_##kind) ? bad : real args; \
  }
#define FAULT_OPEN(name, params, args) \
  int name params { \
    va_list rest; \
    va_start(rest, flags); \
    const int unnamed = (flags & O_TMPFILE) == O_TMPFILE; \
    const mode_t mode = flags & O_CREAT || unnamed ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    REAL(int, name, params); \
    if (unnamed && getenv("FAULT_NO_TMPFILE")) return errno = EOPNOTSUPP, -1; \
    return due(kind_open) ? -1 : real args; \
  }

FAULT_OPEN(open, (const char* path, int flags, ...), (path, flags, mode))
FAULT_OPEN(open64, (const char* path, int flags, ...), (path, flags, mode))
FAULT_OPEN(openat, (int at, const char* path, int flags, ...), (at, path, flags, mode))
FAULT_OPEN(openat64, (int at, const char* path, int flags, ...), (at, path, flags, mode))
FAULT(open, FILE*, fopen, (const char* path, const char* mode), (path, mode), NULL)
FAULT(open, FILE*, fopen64, (const char* path, const char* mode), (path, mode), NULL)
FAULT(read, ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), -1)
FAULT(read, ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), -1)
FAULT(read, ssize_t, pread64, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), -1)
FAULT(write, ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes), -1)
FAULT(write, ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at), -1)
FAULT(write, ssize_t, pwrite64, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at), -1)
FAULT(write, size_t, fwrite, (const void* from, size_t size, size_t n, FILE* file), (from, size, n, file), 0)
FAULT(write, int, puts, (const char* text), (text), EOF)
FAULT(flush, int, fflush, (FILE* file), (file), EOF)
FAULT(fsync, int, fsync, (int file), (file), -1)
FAULT(fsync, int, fdatasync, (int file), (file), -1)
FAULT(rename, int, rename, (const char* a, const char* b), (a, b), -1)
FAULT(rename, int, renameat, (int i, const char* a, int j, const char* b), (i, a, j, b), -1)
FAULT(link, int, linkat, (int i, const char* a, int j, const char* b, int flags), (i, a, j, b, flags), -1)
FAULT(unlink, int, unlinkat, (int at, const char* path, int flags), (at, path, flags), -1)
FAULT(unlink, int, unlink, (const char* path), (path), -1)
FAULT(truncate, int, ftruncate, (int file, off_t size), (file, size), -1)
FAULT(truncate, int, ftruncate64, (int file, off_t size), (file, size), -1)
FAULT(permissions, int, fchmod, (int file, mode_t mode), (file, mode), -1)
FAULT(permissions, int, fchown, (int file, uid_t user, gid_t group), (file, user, group), -1)
FAULT(permissions, int, access, (const char* path, int mode), (path, mode), -1)
FAULT(permissions, int, faccessat, (int at, const char* path, int mode, int flags), (at, path, mode, flags), -1)
FAULT(stat, int, stat, (const char* path, struct stat* to), (path, to), -1)
FAULT(stat, int, stat64, (const char* path, struct stat64* to), (path, to), -1)
FAULT(stat, int, lstat, (const char* path, struct stat* to), (path, to), -1)
FAULT(stat, int, lstat64, (const char* path, struct stat64* to), (path, to), -1)
FAULT(stat, int, fstat, (int file, struct stat* to), (file, to), -1)
FAULT(stat, int, fstat64, (int file, struct stat64* to), (file, to), -1)
FAULT(stat, int, fstatat, (int at, const char* path, struct stat* to, int flags), (at, path, to, flags), -1)
FAULT(stat, int, fstatat64, (int at, const char* path, struct stat64* to, int flags), (at, path, to, flags), -1)
FAULT(seek, off_t, lseek, (int file, off_t to, int from), (file, to, from), -1)
FAULT(seek, off_t, lseek64, (int file, off_t to, int from), (file, to, from), -1)
FAULT(mmap, void*, mmap, (void* at, size_t bytes, int prot, int flags, int file, off_t offset), (at, bytes, prot, flags, file, offset), MAP_FAILED)
FAULT(mmap, void*, mmap64, (void* at, size_t bytes, int prot, int flags, int file, off_t offset), (at, bytes, prot, flags, file, offset), MAP_FAILED)
FAULT(memfd, int, memfd_create, (const char* name, unsigned flags), (name, flags), -1)
FAULT(pipe, int, pipe2, (int ends[2], int flags), (ends, flags), -1)
FAULT(fork, pid_t, fork, (void), (), -1)
FAULT(thread, int, pthread_create, (pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument), (thread, attributes, body, argument), EAGAIN)
FAULT(wait, pid_t, waitpid, (pid_t process, int* status, int options), (process, status, options), -1)
FAULT(poll, int, poll, (struct pollfd* files, nfds_t n, int wait), (files, n, wait), -1)
FAULT(dup, int, dup2, (int from, int to), (from, to), -1)
FAULT(lock, int, flock, (int file, int how), (file, how), -1)
FAULT(mkdir, int, mkdir, (const char* path, mode_t mode), (path, mode), -1)

/* Memory: dlsym itself asks for some, so the C library's own names are used. */
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
static int memory_due(const void* caller) {
  if (!state || !atomic_load(&state->armed)) return 0;
  /* CLI11 ends the process when memory is lacking while it learns the options; so from the first
   * file on. */
  if (!only && atomic_load(&state->count[kind_open]) == 0) return 0;
  Dl_info info;
  if (only && (!dladdr(caller, &info) || !info.dli_fname ||
               (!strstr(info.dli_fname, only) && !strstr(info.dli_fname, "libstdc++"))))
    return 0;
  return due(kind_memory) | (syscall(SYS_gettid) != getpid() && due(kind_thread_memory));
}
#define MEMORY_DUE memory_due(__builtin_return_address(0))
void* malloc(size_t bytes) { return MEMORY_DUE ? NULL : __libc_malloc(bytes); }
void* calloc(size_t n, size_t bytes) { return MEMORY_DUE ? NULL : __libc_calloc(n, bytes); }
void* realloc(void* old, size_t bytes) { return MEMORY_DUE ? NULL : __libc_realloc(old, bytes); }
void* aligned_alloc(size_t to, size_t bytes) { return MEMORY_DUE ? NULL : __libc_memalign(to, bytes); }
int posix_memalign(void** out, size_t to, size_t bytes) {
  if (MEMORY_DUE) return ENOMEM;
  return (*out = __libc_memalign(to, bytes)) ? 0 : ENOMEM;
}
