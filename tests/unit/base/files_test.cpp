#include "ridge/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"

namespace ridge::files_test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const fs::path& path) {
  struct stat facts{};
  EXPECT_EQ(::lstat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 07777U;
}

class Files : public testing::Test {
 protected:
  Files() : umask_(::umask(0)) {}  // the most that a user's own setting could allow
  ~Files() override {
    ::umask(umask_);
    fs::remove_all(folder_);
  }

  const mode_t umask_;
  const fs::path folder_ = create_own_folder(fs::temp_directory_path(), "ridge_files_test");
};

TEST_F(Files, AreReadableByTheirOwnerAlone) {
  write_file_atomically(folder_ / "a" / "b" / "file", "text");
  EXPECT_EQ(mode_of(folder_), 0700U);
  EXPECT_EQ(mode_of(folder_ / "a"), 0700U);
  EXPECT_EQ(mode_of(folder_ / "a" / "b"), 0700U);
  EXPECT_EQ(mode_of(folder_ / "a" / "b" / "file"), 0600U);
}

TEST_F(Files, ArtifactsAreReadableByTheirOwnerAlone) {
  const ScopedKnob knob(Knob::dump, (folder_ / "dump").string());
  const fs::path path = dump_artifact("graph", "ir", "text");
  EXPECT_EQ(mode_of(folder_ / "dump"), 0700U);
  EXPECT_EQ(mode_of(path), 0600U);
}

TEST_F(Files, WhatIsNoFileIsNotReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path& path : {pipe, folder_}) {
    EXPECT_THROW(write_file_atomically(path, "text"), Error) << path;
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Files, AFolderThatIsThereStaysAsItIs) {
  fs::create_directory(folder_ / "open");
  fs::permissions(folder_ / "open", fs::perms(0755));
  write_file_atomically(folder_ / "open" / "file", "text");
  EXPECT_EQ(mode_of(folder_ / "open"), 0755U);
}

TEST_F(Files, ALinkIsReplacedAndNotFollowed) {
  write_file_atomically(folder_ / "victim", "untouched");
  fs::create_symlink(folder_ / "victim", folder_ / "link");
  write_file_atomically(folder_ / "link", "text");
  EXPECT_EQ(contents(folder_ / "victim"), "untouched");
  EXPECT_FALSE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(contents(folder_ / "link"), "text");
}

// A link to nowhere would make the file elsewhere.
TEST_F(Files, ALinkToNowhereIsNotFollowed) {
  fs::create_symlink(folder_ / "elsewhere", folder_ / "link");
  write_file_atomically(folder_ / "link", "text");
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
}

TEST_F(Files, OwnFoldersAreNewEachTime) {
  const fs::path first = create_own_folder(folder_ / "deep" / "er", "a/b c");
  const fs::path second = create_own_folder(folder_ / "deep" / "er", "a/b c");
  EXPECT_NE(first, second);
  EXPECT_TRUE(first.filename().string().starts_with("a_b_c.")) << first;
  EXPECT_EQ(mode_of(first), 0700U);
  EXPECT_TRUE(fs::is_empty(first));
  EXPECT_TRUE(fs::is_directory(create_own_folder(folder_, std::string(1000, 'x'))));
}

TEST_F(Files, SayWhyTheyCannotBeMade) {
  write_file_atomically(folder_ / "file", "");
  for (const fs::path& path : {folder_ / "file" / "a", folder_ / "file" / "a" / "b"}) {
    try {
      write_file_atomically(path, "text");
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::io);
      EXPECT_NE(std::string(error.what()).find((folder_ / "file").string()), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ridge::files_test
