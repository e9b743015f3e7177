// Saving that is cut short: by a kill, by a disk that is full. The last good file stays.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "ridge/base/random.h"
#include "ridge/files/save.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::save_crash_test {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kElements = 20'000;

// Several tensors that all hold the number of the save.
struct Numbered {
  std::vector<Tensor> tensors;
  int64_t number = 0;
  explicit Numbered(int64_t value) : number(value) {
    for (int i = 0; i < 4; ++i) {
      tensors.push_back(Tensor::of<int64_t>(std::vector<int64_t>(kElements, value), {kElements}));
    }
  }
  bool is_whole() const {
    for (const Tensor& t : tensors) {
      const int64_t* data = t.data<int64_t>();
      if (std::count(data, data + kElements, number) != kElements) return false;
    }
    return true;
  }
  static void visit_tensors(auto& self, auto&& visit) {
    visit("tensors", self.tensors);
    visit("number", self.number);
  }
};

// Runs in a process of its own, which ends with what the body returns.
template <class Body>
pid_t in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

size_t files_in(const fs::path& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Saves one number after another, and writes a byte into the pipe before each save.
pid_t start_saving(const fs::path& path, int64_t first, int pipe) {
  return in_child([&] {
    for (int64_t number = first;; ++number) {
      const Numbered state(number);
      if (::write(pipe, "x", 1) != 1) return 1;
      save(path, state);
    }
    return 0;
  });
}

TEST(SaveCrash, KilledAtFiftyMomentsTheFileIsWhole) {
  const OwnFolder folder;
  const fs::path path = folder / "state";
  const auto start = std::chrono::steady_clock::now();
  save(path, Numbered(1));
  const auto one_save = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  Numbered loaded(0);
  SplitMix64 random(7);
  int64_t last = 1, interrupted = 0, replaced = 0;
  for (int moment = 0; moment < 50; ++moment) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = start_saving(path, last + 1, ends[1]);
    char byte = 0;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    usleep(
        static_cast<useconds_t>(random.next() % static_cast<uint64_t>(2 * one_save.count() + 1)));
    kill(child, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(wait_for(child)));
    close(ends[0]);
    close(ends[1]);
    load(path, loaded);
    ASSERT_TRUE(loaded.is_whole()) << "moment " << moment;
    ASSERT_GE(loaded.number, last) << "moment " << moment;
    replaced += loaded.number > last;
    last = loaded.number;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (entry.path() == path) continue;
      ++interrupted;
      fs::remove(entry.path());
    }
  }
  // The moments were before, in and after saves.
  EXPECT_GT(interrupted, 0);
  EXPECT_GT(replaced + interrupted, 10);
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(SaveCrash, FullDiskLeavesTheOldFile) {
  const OwnFolder folder;
  const fs::path path = folder / "state";
  save(path, Numbered(1));
  const std::string before = content(path);
  for (const rlim_t most : {rlim_t{0}, rlim_t{100}, rlim_t{65536}, rlim_t{639'000}}) {
    const int status = wait_for(in_child([&] {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{most, most};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
      try {
        save(path, Numbered(2));
      } catch (const Error& error) {
        return error.code() == ErrorCode::io && files_in(folder.path()) == 1 ? 0 : 2;
      }
      return 3;
    }));
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << most;
    EXPECT_TRUE(content(path) == before);
    EXPECT_EQ(files_in(folder.path()), 1u);
  }
}

TEST(SaveCrash, PathsThatCannotBeWritten) {
  const OwnFolder folder;
  expect_error(ErrorCode::io, {"save", "missing/state"},
               [&] { save(folder / "missing/state", Numbered(1)); });
  fs::create_directory(folder / "folder");
  expect_error(ErrorCode::io, {"File exists"}, [&] { save(folder / "folder", Numbered(1)); });
  expect_error(ErrorCode::io, {"File exists"}, [&] { save("/dev/null", Numbered(1)); });
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(SaveCrash, KeepsTheRightsOfTheFileItReplaces) {
  const OwnFolder folder;
  const auto rights = [&] { return fs::status(folder / "state").permissions(); };
  save(folder / "state", Numbered(1));
  EXPECT_EQ(rights(), fs::perms::owner_read | fs::perms::owner_write);
  const fs::perms wider = rights() | fs::perms::group_read;
  fs::permissions(folder / "state", wider);
  save(folder / "state", Numbered(2));
  EXPECT_EQ(rights(), wider);
}

}  // namespace
}  // namespace ridge::files::save_crash_test
