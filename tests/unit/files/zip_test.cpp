#include "ridge/files/zip.h"

#include <zlib.h>

#include "tests/unit/files/file_bytes.h"

namespace ridge::files::zip_test {
namespace {

// One entry as both headers describe it; what is wrong about it is changed by the test.
struct Part {
  std::string name, data;
  uint16_t method = 0, flags = 0;
  std::optional<uint32_t> size{}, checksum{};
  std::optional<uint32_t> begin{};
  std::string local_name{};
};

std::string fields(const Part& part, std::string_view name) {
  const uint32_t checksum = part.checksum.value_or(static_cast<uint32_t>(crc32(
      0, reinterpret_cast<const Bytef*>(part.data.data()), static_cast<uInt>(part.data.size()))));
  const auto stored = static_cast<uint32_t>(part.data.size());
  return bytes(part.flags, part.method, uint32_t{0}, checksum, stored, part.size.value_or(stored),
               static_cast<uint16_t>(name.size()), uint16_t{0});
}

std::string archive(const std::vector<Part>& parts, std::optional<uint16_t> count = {}) {
  std::string out, directory;
  for (const Part& part : parts) {
    const auto begin = static_cast<uint32_t>(out.size());
    const std::string& local = part.local_name.empty() ? part.name : part.local_name;
    out += bytes("PK\x03\x04", uint16_t{20}, fields(part, local), local, part.data);
    directory +=
        bytes("PK\x01\x02", uint32_t{20}, fields(part, part.name), uint16_t{0}, uint16_t{0},
              uint16_t{0}, uint32_t{0}, part.begin.value_or(begin), part.name);
  }
  const auto entries = count.value_or(static_cast<uint16_t>(parts.size()));
  const auto offset = static_cast<uint32_t>(out.size());
  return out + directory +
         bytes("PK\x05\x06", uint16_t{0}, uint16_t{0}, entries, entries,
               static_cast<uint32_t>(directory.size()), offset, uint16_t{0});
}

std::string deflated(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
uint32_t checksum_of(const std::string& text) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

void refuse(const std::vector<Part>& parts, std::string_view expected,
            std::optional<uint16_t> count = {}) {
  expect_error(ErrorCode::parse, {expected}, [&] {
    const ZipFile zip(in_memory(archive(parts, count)));
    for (const ZipEntry& entry : zip.entries()) {
      if (entry.is_deflated) (void)zip.inflated(entry);
    }
  });
}

TEST(Zip, ReadsEntries) {
  const std::string text(1000, 'x');
  const ZipFile zip(in_memory(archive({{"a", "hello"},
                                       {.name = "b",
                                        .data = deflated(text),
                                        .method = 8,
                                        .size = 1000,
                                        .checksum = checksum_of(text)}})));
  ASSERT_EQ(zip.entries().size(), 2u);
  const ZipEntry& a = *zip.find("a");
  EXPECT_EQ(std::memcmp(zip.stored(a).data(), "hello", 5), 0);
  EXPECT_EQ(zip.inflated(*zip.find("b")), text);
  EXPECT_EQ(zip.find("c"), nullptr);
  EXPECT_TRUE(ZipFile(in_memory(archive({}))).entries().empty());
}

TEST(Zip, RefusesDirectoriesThatAreWrong) {
  expect_error(ErrorCode::parse, {"directory of a zip"},
               [] { ZipFile(in_memory("PK\x03\x04 and more than 22 bytes")); });
  refuse({{"a", "x"}, {"a", "y"}}, "`a` twice");
  refuse({{"a", "x"}}, "entries", 60000);
  refuse({{"a", "x"}}, "zip64", 0xffff);
  refuse({{.name = "a", .data = "x", .begin = 5}}, "local header");
  refuse({{.name = "a", .data = "x", .begin = 0xfffffff0}}, "archive of");
  refuse({{.name = "a", .data = "x", .local_name = "b"}}, "one name");
  refuse({{.name = "a", .data = "x", .flags = 1}}, "encryption");
  refuse({{.name = "a", .data = "x", .method = 12}}, "method 12");
  refuse({{.name = "a", .data = "x", .size = 2}}, "stored entry of one size");
  refuse({{"a", "x"}, {.name = "a", .data = "x", .begin = 0}}, "`a` twice");
  refuse({{"aa", "x"}, {.name = "bb", .data = "y", .begin = 0}}, "one name");
}

TEST(Zip, RefusesNamesOutsideOfTheArchive) {
  for (const char* outside : {"../a", "/a", "a/../../b", "..\\a"}) {
    refuse({{outside, "x"}}, "inside of the archive");
  }
}

TEST(Zip, RefusesOverlappingEntries) {
  // The second entry lies in the bytes of the first.
  const std::string inner = bytes("PK\x03\x04", uint16_t{20}, fields({"b", "y"}, "b"), "b", "y");
  refuse({{"a", inner}, {.name = "b", .data = "y", .begin = 31}}, "overlap");
}

TEST(Zip, RefusesBombs) {
  // A megabyte of zeros is about a kilobyte; one that says it is more than deflate can make is refused
  // before anything is allocated.
  const std::string zeros(1 << 20, '\0');
  const std::string small = deflated(zeros);
  refuse({{.name = "a", .data = small, .method = 8, .size = 0xfffffff0u}}, "at most 1032 bytes");
  refuse({{.name = "a", .data = small, .method = 8, .size = 1000}}, "to inflate to 1000");
  refuse({{.name = "a", .data = small, .method = 8, .size = (1 << 20) + 1}}, "to inflate to");
  refuse({{.name = "a", .data = small, .method = 8, .size = 1 << 20, .checksum = 1}}, "checksum 1");
  refuse({{.name = "a", .data = "\xff\xff", .method = 8, .size = 100}}, "to inflate to 100");
  // 600 MiB out of 600 KiB, in two halves: deflate could do that, and it is too much.
  const std::string half(300 << 10, '\0');
  refuse({{.name = "a", .data = half, .method = 8, .size = 300u << 20},
          {.name = "b", .data = half, .method = 8, .size = 300u << 20}},
         "when inflated");
}

}  // namespace
}  // namespace ridge::files::zip_test
