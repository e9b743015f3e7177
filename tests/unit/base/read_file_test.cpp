#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/text.h"

namespace ridge::read_file_test {
namespace {

namespace fs = std::filesystem;

class ReadFile : public ::testing::Test {
 protected:
  ReadFile() { fs::create_directories(folder_); }
  ~ReadFile() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  const fs::path folder_ = fs::temp_directory_path() / concat("ridge_read_file_", ::getpid());
};

void expect_refused(const fs::path& path, const std::string& word, size_t most = kMostFileBytes) {
  try {
    read_file(path, most);
    FAIL() << path;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    const std::string text = error.what();
    EXPECT_NE(text.find(word), std::string::npos) << text;
    EXPECT_NE(text.find(path.string()), std::string::npos) << text;
  }
}

TEST_F(ReadFile, GivesAllBytes) {
  const std::string bytes(100000, '\0');
  EXPECT_EQ(read_file(write("zeros", bytes)), bytes);
  EXPECT_EQ(read_file(write("empty", "")), "");
  EXPECT_EQ(read_file_if_there(write("text", "one\n")), "one\n");
}

TEST_F(ReadFile, SaysWhatIsMissing) {
  expect_refused(folder_ / "absent", "No such file");
  EXPECT_EQ(read_file_if_there(folder_ / "absent"), std::nullopt);
  EXPECT_THROW(read_file_if_there(write("file", "") / "in a file"), Error);
}

// Each of these would never end, or be no text.
TEST_F(ReadFile, RefusesWhatIsNoRegularFile) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_refused(pipe, "a pipe");
  expect_refused("/dev/zero", "a character device");
  expect_refused(folder_, "a folder");
  EXPECT_THROW(read_file_if_there(pipe), Error);
}

TEST_F(ReadFile, RefusesWhatIsTooLarge) {
  const fs::path path = write("five", "12345");
  EXPECT_EQ(read_file(path, 5), "12345");
  expect_refused(path, "4 B", 4);
}

}  // namespace
}  // namespace ridge::read_file_test
