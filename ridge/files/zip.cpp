#include "ridge/files/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"

namespace ridge::files {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEnd = 0x06054b50,
                   kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr uint32_t kIn64Bits =
    0xffffffff;  // in place of a size or offset that is in the extra field
constexpr size_t kEndBytes = 22, kLocatorBytes = 20, kDirectoryEntryBytes = 46;
constexpr size_t kLongestComment = 65535;
// Deflate makes at most 1032 bytes of one.
constexpr uint64_t kMostRatio = 1032;
constexpr uint64_t kMostInflated = uint64_t{256} << 20, kMostInflatedTimes = 256;

ByteReader reader_at(const Ref<MappedFile>& file, uint64_t offset) {
  ByteReader reader(file->bytes(), file->name());
  reader.take(offset, "archive");
  return reader;
}

struct Directory {
  uint64_t count, bytes, offset;
};

// The last record of an archive, of which only a comment may come after.
size_t find_end(const Ref<MappedFile>& file) {
  const std::span<const std::byte> bytes = file->bytes();
  const size_t furthest = std::min(bytes.size(), kEndBytes + kLongestComment);
  for (size_t back = kEndBytes; back <= furthest; ++back) {
    uint32_t signature;
    std::memcpy(&signature, bytes.data() + bytes.size() - back, sizeof(signature));
    if (signature == kEnd) return bytes.size() - back;
  }
  refuse_file(file->name(), "the directory of a zip archive at the end", "none");
}

Directory read_end64(const Ref<MappedFile>& file, size_t end) {
  if (end < kLocatorBytes) refuse_file(file->name(), "a zip64 locator", "none");
  ByteReader locator = reader_at(file, end - kLocatorBytes);
  if (locator.read<uint32_t>("signature") != kLocator64) {
    locator.refuse("a zip64 locator", "something else");
  }
  locator.take(4, "disk");
  ByteReader record = reader_at(file, locator.read<uint64_t>("offset of the zip64 record"));
  if (record.read<uint32_t>("signature") != kEnd64)
    record.refuse("a zip64 record", "something else");
  record.take(8 + 2 + 2 + 4 + 4 + 8, "zip64 record");
  Directory directory{};
  directory.count = record.read<uint64_t>("number of entries");
  directory.bytes = record.read<uint64_t>("size of the directory");
  directory.offset = record.read<uint64_t>("offset of the directory");
  return directory;
}

Directory find_directory(const Ref<MappedFile>& file) {
  const size_t end = find_end(file);
  ByteReader reader = reader_at(file, end + 4);
  const auto disk = reader.read<uint16_t>("disk");
  const auto directory_disk = reader.read<uint16_t>("disk");
  reader.take(2, "entries on this disk");
  const uint64_t count = reader.read<uint16_t>("number of entries");
  const uint64_t bytes = reader.read<uint32_t>("size of the directory");
  const uint64_t offset = reader.read<uint32_t>("offset of the directory");
  if (count == 0xffff || bytes == kIn64Bits || offset == kIn64Bits) return read_end64(file, end);
  if (disk != 0 || directory_disk != 0) reader.refuse("an archive in one file", "a part of one");
  return {count, bytes, offset};
}

// Sizes that do not fit 32 bits are in the extra field numbered 1, in this order.
void read_extra64(ByteReader extra, ZipEntry& entry, bool has_bytes, bool has_stored,
                  bool has_begin) {
  while (extra.left() >= 4) {
    const auto id = extra.read<uint16_t>("extra field");
    const auto length = extra.read<uint16_t>("length of an extra field");
    ByteReader field(extra.take(length, "extra field"), extra.file());
    if (id != 1) continue;
    if (has_bytes) entry.bytes = field.read<uint64_t>("size");
    if (has_stored) entry.stored_bytes = field.read<uint64_t>("compressed size");
    if (has_begin) entry.begin = field.read<uint64_t>("offset");
    return;
  }
  if (has_bytes || has_stored || has_begin) {
    extra.refuse("a zip64 extra field", concat("none for `", entry.name, "`"));
  }
}

// An archive is never unpacked here; a name that would leave a folder says what it was made for.
void check_name(const ByteReader& reader, std::string_view name) {
  bool is_outside = name.starts_with('/') || name.find('\0') != name.npos;
  for (const std::string_view part : split_at(name, "/\\")) is_outside |= part == "..";
  if (is_outside) reader.refuse("names of entries inside of the archive", concat("`", name, "`"));
}

ZipEntry read_entry(ByteReader& reader) {
  if (reader.read<uint32_t>("signature") != kDirectoryEntry) {
    reader.refuse("an entry of the directory", "something else");
  }
  reader.take(4, "versions");
  const auto flags = reader.read<uint16_t>("flags");
  const auto method = reader.read<uint16_t>("method");
  reader.take(4, "time");
  ZipEntry entry;
  entry.checksum = reader.read<uint32_t>("checksum");
  entry.stored_bytes = reader.read<uint32_t>("compressed size");
  entry.bytes = reader.read<uint32_t>("size");
  const auto name_length = reader.read<uint16_t>("length of a name");
  const auto extra_length = reader.read<uint16_t>("length of the extra fields");
  const auto comment_length = reader.read<uint16_t>("length of a comment");
  reader.take(2 + 2 + 4, "attributes");
  entry.begin = reader.read<uint32_t>("offset");
  entry.name = reader.text(name_length, "name");
  check_name(reader, entry.name);
  read_extra64(ByteReader(reader.take(extra_length, "extra fields"), reader.file()), entry,
               entry.bytes == kIn64Bits, entry.stored_bytes == kIn64Bits, entry.begin == kIn64Bits);
  reader.take(comment_length, "comment");
  if ((flags & 1) != 0) reader.refuse("entries without encryption", concat("`", entry.name, "`"));
  if (method != 0 && method != 8) {
    reader.refuse("entries stored or deflated",
                  concat("method ", method, " of `", entry.name, "`"));
  }
  entry.is_deflated = method == 8;
  if (!entry.is_deflated && entry.bytes != entry.stored_bytes) {
    reader.refuse("a stored entry of one size", concat("`", entry.name, "`"));
  }
  if (entry.bytes / kMostRatio > entry.stored_bytes) {
    reader.refuse(concat("at most ", kMostRatio, " bytes for each deflated one"),
                  concat(entry.bytes, " for ", entry.stored_bytes, " of `", entry.name, "`"));
  }
  return entry;
}

// The local header repeats the entry and may have other extra fields: only it says where bytes begin.
void find_bytes(const Ref<MappedFile>& file, ZipEntry& entry) {
  ByteReader reader = reader_at(file, entry.begin);
  if (reader.read<uint32_t>("signature") != kLocalHeader) {
    reader.refuse("a local header", concat("something else for `", entry.name, "`"));
  }
  reader.take(22, "local header");
  const auto name_length = reader.read<uint16_t>("length of a name");
  const auto extra_length = reader.read<uint16_t>("length of the extra fields");
  if (reader.text(name_length, "name") != entry.name) {
    reader.refuse("one name in directory and local header",
                  concat("another for `", entry.name, "`"));
  }
  reader.take(extra_length, "extra fields");
  entry.offset = reader.position();
  reader.take(entry.stored_bytes, "entry");
}

void check_apart(const std::vector<ZipEntry>& entries, const std::string& file) {
  std::vector<const ZipEntry*> by_offset;
  for (const ZipEntry& entry : entries) by_offset.push_back(&entry);
  std::ranges::sort(by_offset, {}, &ZipEntry::begin);
  for (size_t i = 1; i < by_offset.size(); ++i) {
    const ZipEntry& before = *by_offset[i - 1];
    if (before.offset + before.stored_bytes > by_offset[i]->begin) {
      refuse_file(file, "entries that do not overlap",
                  concat("`", before.name, "` and `", by_offset[i]->name, "`"));
    }
  }
}

void check_inflated_size(const std::vector<ZipEntry>& entries, const Ref<MappedFile>& file) {
  const uint64_t most = kMostInflated + kMostInflatedTimes * file->bytes().size();
  uint64_t total = 0;
  for (const ZipEntry& entry : entries) {
    // No overflow: each is at most 1032 times its own part of the file.
    if (entry.is_deflated) total += entry.bytes;
  }
  if (total > most) {
    refuse_file(file->name(), concat("at most ", Bytes(most), " when inflated"),
                concat(Bytes(total)));
  }
}

}  // namespace

ZipFile::ZipFile(Ref<MappedFile> file) : file_(std::move(file)) {
  const Directory directory = find_directory(file_);
  ByteReader whole = reader_at(file_, directory.offset);
  ByteReader reader(whole.take(directory.bytes, "directory"), file_->name());
  entries_.reserve(reader.count(directory.count, kDirectoryEntryBytes, "entries"));
  for (uint64_t i = 0; i < directory.count; ++i) {
    entries_.push_back(read_entry(reader));
    find_bytes(file_, entries_.back());
  }
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!positions_.emplace(entries_[i].name, i).second) {
      refuse_file(file_->name(), "names that occur once", concat("`", entries_[i].name, "` twice"));
    }
  }
  check_apart(entries_, file_->name());
  check_inflated_size(entries_, file_);
}

const ZipEntry* ZipFile::find(std::string_view name) const {
  const auto found = positions_.find(name);
  return found == positions_.end() ? nullptr : &entries_[found->second];
}

std::span<const std::byte> ZipFile::stored(const ZipEntry& entry) const {
  if (entry.is_deflated) {
    refuse_file(file_->name(), "an entry that is stored", concat("`", entry.name, "`, deflated"));
  }
  return file_->bytes().subspan(entry.offset, entry.bytes);
}

std::string ZipFile::inflated(const ZipEntry& entry) const {
  std::string content(entry.bytes, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    throw Error({.code = ErrorCode::memory, .expected = "memory to inflate", .given = "none"});
  }
  const std::byte* next = file_->bytes().data() + entry.offset;
  uint64_t unread = entry.stored_bytes, unwritten = entry.bytes;
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(next));
  constexpr uint64_t kMost = std::numeric_limits<uInt>::max();
  int result = Z_OK;
  while (result == Z_OK) {
    stream.avail_in = static_cast<uInt>(std::min(unread, kMost));
    stream.avail_out = static_cast<uInt>(std::min(unwritten, kMost));
    const uInt in_before = stream.avail_in, out_before = stream.avail_out;
    result = inflate(&stream, Z_NO_FLUSH);
    unread -= in_before - stream.avail_in;
    unwritten -= out_before - stream.avail_out;
    if (in_before == stream.avail_in && out_before == stream.avail_out) break;
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END || unwritten != 0 || unread != 0) {
    refuse_file(file_->name(), concat("`", entry.name, "` to inflate to ", entry.bytes, " bytes"),
                "deflated bytes that do not");
  }
  check_content(entry, std::as_bytes(std::span(content)));
  return content;
}

void ZipFile::check_content(const ZipEntry& entry, std::span<const std::byte> content) const {
  const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (checksum != entry.checksum) {
    refuse_file(file_->name(), concat("`", entry.name, "` with checksum ", entry.checksum),
                concat("content with ", checksum));
  }
}

bool is_zip(std::span<const std::byte> bytes) {
  constexpr std::string_view kSignature("PK\x03\x04", 4);
  return bytes.size() >= 4 && std::memcmp(bytes.data(), kSignature.data(), 4) == 0;
}

}  // namespace ridge::files
