#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/knobs.h"

namespace ridge::dump_test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of its own for each test, gone afterwards.
class Dump : public testing::Test {
 protected:
  Dump() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("ridge_dump_" + std::to_string(::getpid()) + "_" + test->name());
  }
  ~Dump() override { fs::remove_all(folder_); }

  size_t count_files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(Dump, DoesNothingUnlessAsked) {
  const ScopedKnob knob(Knob::dump, "");
  EXPECT_EQ(dump_artifact("graph", "ir", "text"), fs::path());
}

TEST_F(Dump, NumbersFilesInOrder) {
  const ScopedKnob knob(Knob::dump, (folder_ / "made" / "for it").string());
  const fs::path first = dump_artifact("fuse-epilogues", "ir", "one\n");
  const fs::path second = dump_artifact("a/b c", "explain.json", "{}");
  EXPECT_EQ(contents(first), "one\n");
  const std::string first_name = first.filename().string();
  EXPECT_EQ(first_name.substr(3), "_fuse-epilogues.ir");
  EXPECT_EQ(second.filename().string().substr(3), "_a_b_c.explain.json");
  EXPECT_EQ(std::stoi(second.filename().string()), std::stoi(first_name) + 1);
}

TEST_F(Dump, GoesOnBehindWhatAnEarlierProcessWrote) {
  EXPECT_EQ(first_dump_number(folder_), 0u);
  write_file_atomically(folder_ / "007_fuse.ir", "");
  EXPECT_EQ(first_dump_number(folder_), 8u);
  write_file_atomically(folder_ / "1000_last.ir", "");
  write_file_atomically(folder_ / "2000.ir", "");
  write_file_atomically(folder_ / "x_3000_.ir", "");
  EXPECT_EQ(first_dump_number(folder_), 1001u);
}

TEST_F(Dump, ThreadsNeverShareAFile) {
  const ScopedKnob knob(Knob::dump, folder_.string());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 25; ++i) dump_artifact("same", "txt", "text");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count_files(), 100u);
}

TEST_F(Dump, SaysWhyItCannot) {
  write_file_atomically(folder_ / "file", "");
  const ScopedKnob knob(Knob::dump, (folder_ / "file").string());  // a file, not a folder
  try {
    dump_artifact("graph", "ir", "text");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(error.given().find((folder_ / "file").string()), std::string::npos);
  }
}

TEST_F(Dump, WritesBytesAsTheyAre) {
  const std::string bytes("a\0\r\n\xff", 5);
  write_file_atomically(folder_ / "bytes", bytes);
  EXPECT_EQ(contents(folder_ / "bytes"), bytes);
  write_file_atomically(folder_ / "bytes", "");
  EXPECT_EQ(contents(folder_ / "bytes"), "");
}

TEST_F(Dump, FailedWritesLeaveNothingBehind) {
  fs::create_directories(folder_ / "taken" / "inside");
  EXPECT_THROW(write_file_atomically(folder_ / "taken", "text"), Error);
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(Dump, ReadersNeverSeeHalfAFile) {
  const fs::path path = folder_ / "file";
  const std::set<std::string> versions = {std::string(100000, 'a'), std::string(50000, 'b')};
  write_file_atomically(path, *versions.begin());
  std::thread writer([&] {
    for (int i = 0; i < 100; ++i) {
      for (const std::string& version : versions) write_file_atomically(path, version);
    }
  });
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(versions.contains(contents(path)));
  writer.join();
}

}  // namespace
}  // namespace ridge::dump_test
