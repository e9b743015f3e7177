#include "ridge/files/mapped_file.h"

#include <sys/stat.h>

#include "ridge/files/byte_reader.h"
#include "ridge/files/row_major.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::mapped_file_test {
namespace {

TEST(MappedFile, HasTheBytesOfAFile) {
  const OwnFolder folder;
  write(folder / "a", "hello");
  const Ref<MappedFile> file = MappedFile::open(folder / "a");
  EXPECT_EQ(std::memcmp(file->bytes().data(), "hello", 5), 0);
  EXPECT_EQ(file->bytes().size(), 5u);
  write(folder / "empty", "");
  EXPECT_EQ(MappedFile::open(folder / "empty")->bytes().size(), 0u);
}

TEST(MappedFile, RefusesWhatIsNoRegularFile) {
  const OwnFolder folder;
  expect_error(ErrorCode::io, {"missing", "No such file"},
               [&] { MappedFile::open(folder / "missing"); });
  expect_error(ErrorCode::io, {"regular file", "a folder"},
               [&] { MappedFile::open(folder.path()); });
  expect_error(ErrorCode::io, {"regular file", "/dev/zero"},
               [&] { MappedFile::open("/dev/zero"); });
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_error(ErrorCode::io, {"regular file"}, [&] { MappedFile::open(folder / "pipe"); });
}

TEST(MappedFile, TensorsKeepItAliveAndNeverChangeIt) {
  const OwnFolder folder;
  const std::string before = bytes(1.0f, 2.0f, 3.0f, 4.0f);
  write(folder / "a", before);
  Tensor t = tensor_of(MappedFile::open(folder / "a"), 4, f32, {3});
  EXPECT_EQ(t.to_vector<float>(), (std::vector<float>{2, 3, 4}));
  t.data<float>()[0] = 9;
  EXPECT_EQ(t.to_vector<float>()[0], 9);
  EXPECT_EQ(content(folder / "a"), before);
}

TEST(MappedFile, CopiesWhatIsNotAligned) {
  const OwnFolder folder;
  write(folder / "a", bytes('x', 1.5f, 2.5f));
  const Ref<MappedFile> file = MappedFile::open(folder / "a");
  const Tensor t = tensor_of(file, 1, f32, {2});
  EXPECT_EQ(t.to_vector<float>(), (std::vector<float>{1.5, 2.5}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.raw_data()) % sizeof(float), 0u);
}

TEST(MappedFile, RefusesTensorsBeyondTheEnd) {
  const Ref<MappedFile> file = in_memory(std::string(16, '\0'));
  const auto refuse = [&](uint64_t offset, const Ints& shape) {
    expect_error(ErrorCode::parse, {"16 bytes"}, [&] { tensor_of(file, offset, f32, shape); });
  };
  refuse(4, {4});
  refuse(17, {0});
  refuse(~uint64_t{0}, {1});
  refuse(0, {int64_t{1} << 40, int64_t{1} << 40});
  refuse(0, {-1});
  EXPECT_EQ(tensor_of(file, 16, f32, {0, 3}).numel().value(), 0);
  expect_error(ErrorCode::parse, {"strides"}, [&] { strided_tensor_of(file, 0, f32, {2}, {-1}); });
  expect_error(ErrorCode::parse, {"strides"}, [&] {
    strided_tensor_of(file, 0, f32, {3, 3}, {int64_t{1} << 57, int64_t{1} << 57});
  });
  expect_error(ErrorCode::parse, {"16 bytes"}, [&] { strided_tensor_of(file, 0, f32, {2}, {4}); });
  EXPECT_EQ(strided_tensor_of(file, 0, f32, {2, 2}, {0, 3}).to_vector<float>().size(), 4u);
}

TEST(MappedFile, RefusesBoolsThatAreNone) {
  expect_error(ErrorCode::parse, {"bools of 0 or 1"},
               [&] { tensor_of(in_memory("\x02"), 0, boolean, {1}); });
}

TEST(ByteReader, TakesWhatIsThere) {
  const std::string data = bytes(uint32_t{7}, "abc");
  ByteReader reader(std::as_bytes(std::span(data)), "f");
  EXPECT_EQ(reader.read<uint32_t>("number"), 7u);
  EXPECT_EQ(reader.text(3, "text"), "abc");
  EXPECT_EQ(reader.left(), 0u);
  expect_error(ErrorCode::parse, {"number of 2 bytes at byte 7", "`f`"},
               [&] { reader.read<uint16_t>("number"); });
  expect_error(ErrorCode::parse, {}, [&] { reader.take(~uint64_t{0}, "all"); });
  expect_error(ErrorCode::parse, {"as many things"}, [&] { reader.count(1, 1, "things"); });
}

TEST(RowMajor, GoesThereAndBack) {
  const Tensor memory = Tensor::of<float>({0, 1, 2, 3, 4, 5}, {6});
  const Tensor view =
      Tensor::view_of(Ref<Storage>(&memory.storage()), {3, 2}, {1, 3}, Size(0), f32);
  const Tensor dense = row_major_on_host(view);
  EXPECT_TRUE(dense.is_contiguous());
  EXPECT_EQ(dense.to_vector<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  const uint32_t version = memory.version();
  assign(view, Tensor::of<float>({10, 11, 12, 13, 14, 15}, {3, 2}));
  EXPECT_EQ(memory.to_vector<float>(), (std::vector<float>{10, 12, 14, 11, 13, 15}));
  EXPECT_GT(memory.version(), version);
}

}  // namespace
}  // namespace ridge::files::mapped_file_test
