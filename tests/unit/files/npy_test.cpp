#include "ridge/files/npy.h"

#include "ridge/base/text.h"
#include "tests/unit/files/file_bytes.h"

namespace ridge::files::npy_test {
namespace {

std::string made(std::string_view header, size_t data_bytes) {
  return bytes("\x93NUMPY", uint8_t{1}, uint8_t{0}, static_cast<uint16_t>(header.size()), header,
               std::string(data_bytes, '\0'));
}
void refuse(std::string_view header, size_t data_bytes, std::string_view part) {
  expect_error(ErrorCode::parse, {part}, [&] { read_npy(in_memory(made(header, data_bytes))); });
}

TEST(Npy, ReadsArrays) {
  const Tensor a = read_npy(MappedFile::open(frozen("f32.npy")));
  EXPECT_EQ(describe(a), "f32[2, 3]");
  EXPECT_EQ(a.to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  const Tensor f = read_npy(MappedFile::open(frozen("fortran.npy")));
  EXPECT_EQ(describe(f), "f32[2, 3]");
  EXPECT_FALSE(f.is_contiguous());
  EXPECT_EQ(f.to_vector<float>(), a.to_vector<float>());
}

TEST(Npy, RefusesWhatItCannotMean) {
  expect_error(ErrorCode::parse, {"little-endian", "`>f4`"},
               [] { read_npy(MappedFile::open(frozen("big_endian.npy"))); });
  expect_error(ErrorCode::parse, {"`|O`"},
               [] { read_npy(MappedFile::open(frozen("object.npy"))); });
  refuse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4, "structured");
  refuse("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", 8, "`<c8`");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 4, "4 bytes");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 5, "5 bytes");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 4, "a shape");
  refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), }", 4,
         "4 bytes");
  refuse("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,), }", 4, "True or False");
  refuse("{'descr': '<f4', 'shape': (1,), }", 4, "and no more");
  refuse("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4, "once each");
  refuse("{'descr': '<f4", 4, "the end of a text");
  refuse("", 4, "{");
  expect_error(ErrorCode::parse, {"version 1 to 3"}, [] {
    read_npy(in_memory(bytes("\x93NUMPY", uint8_t{4}, uint8_t{0}, uint32_t{0})));
  });
  expect_error(ErrorCode::parse, {"at most 65536"}, [] {
    read_npy(in_memory(bytes("\x93NUMPY", uint8_t{2}, uint8_t{0}, uint32_t{1} << 31)));
  });
}

TEST(Npy, ReadsOrRefusesDefectiveFiles) {
  const std::string good = content(frozen("f32.npy"));
  expect_reads_or_refuses(good, [](std::string file) { read_npy(in_memory(std::move(file))); });
}

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    SCOPED_TRACE(name);
    const WeightFile file = open_weights(frozen(name));
    EXPECT_EQ(file.tensor("f32").to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(file.tensor("fortran").to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(file.tensor("f64").to_vector<double>(), (std::vector<double>{0.1, -1e300}));
    EXPECT_EQ(file.tensor("scalar").item<int32_t>(), 7);
    EXPECT_EQ(file.tensor("bool").to_vector<bool>(), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(describe(file.stored("empty")), "f32[0, 4]");
    EXPECT_EQ(describe(file.tensor("i16")), "i16[2]");
  }
  EXPECT_EQ(open_weights(frozen("deflated.npz")).tensor("zeros").numel().value(), 5000);
}

TEST(Npz, ReadsOrRefusesDefectiveFiles) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const std::string good = content(frozen(name));
    expect_reads_or_refuses(
        good, [](std::string file) { read_npz(ZipFile(in_memory(std::move(file)))); });
  }
}

}  // namespace
}  // namespace ridge::files::npy_test
