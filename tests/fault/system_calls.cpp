// Functions of the C library in place of the library's own, for the whole process: each asks whether this
// call is to fail, and else does what it always does. Reading files, and what goes to the terminal, is
// left alone.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "tests/fault/request.h"

namespace {

using ridge::fault::Request;

// The function of that name that would have been called.
template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_full(bool writes = true) {
  if (!writes || !ridge::fault::is_to_fail(Request::file)) return false;
  errno = ENOSPC;
  return true;
}

bool writes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }
bool is_file(int descriptor) { return descriptor > STDERR_FILENO; }

// The file that Ridge writes last (base/files.cpp): only closing that one tells of a full disk.
constexpr int kNoFile = -1;
std::atomic<int> written{kNoFile};

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

#define NEXT(function) next(&(function), #function)

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (ridge::fault::is_to_fail(Request::thread)) return EAGAIN;
  return NEXT(pthread_create)(thread, attributes, start, argument);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return is_full(writes(flags)) ? -1 : NEXT(open)(path, flags, mode);
}
ssize_t write(int descriptor, const void* bytes, size_t count) {
  return is_full(is_file(descriptor)) ? -1 : NEXT(write)(descriptor, bytes, count);
}
int mkostemp(char* pattern, int flags) {
  const int descriptor = is_full() ? -1 : NEXT(mkostemp)(pattern, flags);
  if (descriptor >= 0) written = descriptor;
  return descriptor;
}
char* mkdtemp(char* pattern) { return is_full() ? nullptr : NEXT(mkdtemp)(pattern); }
int close(int descriptor) {
  int expected = descriptor;
  const bool fails = is_full(written.compare_exchange_strong(expected, kNoFile));
  const int result = NEXT(close)(descriptor);
  if (fails) errno = ENOSPC;
  return fails ? -1 : result;
}
int fsync(int descriptor) { return is_full() ? -1 : NEXT(fsync)(descriptor); }
int rename(const char* from, const char* to) { return is_full() ? -1 : NEXT(rename)(from, to); }
int mkdir(const char* path, mode_t mode) { return is_full() ? -1 : NEXT(mkdir)(path, mode); }

}  // extern "C"
