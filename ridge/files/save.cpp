#include "ridge/files/save.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "ridge/base/hash.h"
#include "ridge/base/json_reader.h"
#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"
#include "ridge/files/row_major.h"

namespace ridge::files::detail {
namespace {

constexpr const char* kChecksumKey = "ridge.checksum";
constexpr const char* kNumbersKey = "ridge.numbers";
constexpr size_t kMostListed = 20;  // mismatches of one kind in a message

std::string hexadecimal(uint64_t value) {
  std::array<char, 16> digits{};
  digits.fill('0');
  std::array<char, 16> text{};
  const auto end = std::to_chars(text.begin(), text.end(), value, 16).ptr;
  std::copy_backward(text.begin(), end, digits.end());
  return {digits.begin(), digits.end()};
}

// Over names, dtypes, shapes and bytes, in the order of names: the same however the file orders them.
std::string checksum_of(NamedTensors tensors, const std::string& numbers) {
  std::ranges::sort(tensors, {},
                    [](const auto& named) -> const std::string& { return named.first; });
  Hasher hasher;
  hasher.combine(numbers).combine(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    hasher.combine(name).combine(ridge::name(tensor.dtype())).combine(tensor.shape().size());
    for (const Size& size : tensor.shape()) hasher.combine(size.value());
    const Tensor here = row_major_on_host(tensor);
    hasher.combine(bytes_of(here));
  }
  return hexadecimal(hasher.digest());
}

std::string numbers_text(const std::vector<VisitedNumber>& numbers) {
  return concat("[",
                join(numbers, ",",
                     [](const VisitedNumber& number) {
                       return concat("[", json_text(number.path), ",", number.value, "]");
                     }),
                "]");
}

std::vector<std::pair<std::string, int64_t>> read_numbers(const std::string& text,
                                                          const std::string& file) {
  std::vector<std::pair<std::string, int64_t>> numbers;
  JsonReader json(text, file);
  json.array([&] {
    std::string path;
    int part = 0;
    json.array([&] {
      if (part == 0) path = json.text();
      if (part == 1) numbers.emplace_back(path, json.integer());
      if (++part > 2) json.refuse("a path and a number", "more");
    });
    if (part != 2) json.refuse("a path and a number", "less");
  });
  json.end();
  return numbers;
}

// All that does not fit, to be thrown as one error.
class Mismatches {
 public:
  void add(std::string_view kind, std::string text) {
    by_kind_[std::string(kind)].push_back(std::move(text));
  }
  void throw_if_any(const std::string& file) const {
    if (by_kind_.empty()) return;
    const std::string given = join(by_kind_, "; ", [](const auto& kind) {
      const size_t shown = std::min(kind.second.size(), kMostListed);
      std::string list = join(std::span(kind.second).first(shown), ", ");
      if (shown < kind.second.size()) list += concat(" and ", kind.second.size() - shown, " more");
      return concat(kind.first, ": ", list);
    });
    throw Error({.code = ErrorCode::value,
                 .expected = concat("a struct of the form that was saved in `", file, "`"),
                 .given = given});
  }

 private:
  std::map<std::string, std::vector<std::string>> by_kind_;
};

void compare_tensors(const StateIn& state, const WeightFile& file, Mismatches& mismatches) {
  std::set<std::string_view> wanted;
  for (const auto& [path, tensor] : state.tensors) wanted.insert(path);
  std::vector<std::string_view> unexpected;
  for (const StoredTensor& stored : file.tensors()) {
    if (!wanted.contains(stored.name)) unexpected.push_back(stored.name);
  }
  size_t missing = 0;
  for (const auto& [path, tensor] : state.tensors) {
    if (!tensor->defined()) continue;
    const StoredTensor* stored = file.find(path);
    if (stored == nullptr) {
      // A search through all names for each of many would take long, and would not be shown.
      const auto nearest = ++missing <= kMostListed ? closest_name(path, unexpected) : std::nullopt;
      mismatches.add("missing in the file",
                     concat("`", path, "`", nearest ? concat(" (nearest: `", *nearest, "`)") : ""));
    } else if (ridge::describe(stored->data) !=
               concat(name(tensor->dtype()), to_text(tensor->shape()))) {
      mismatches.add("different", concat("`", path, "` is ", ridge::describe(*tensor),
                                         ", in the file ", ridge::describe(stored->data)));
    }
  }
  for (const std::string_view name : unexpected) {
    mismatches.add("only in the file", concat("`", name, "`"));
  }
}

void compare_numbers(const StateIn& state,
                     const std::vector<std::pair<std::string, int64_t>>& saved,
                     Mismatches& mismatches) {
  if (saved.size() != state.numbers.size()) {
    mismatches.add("integers", concat(state.numbers.size(), ", in the file ", saved.size()));
    return;
  }
  for (size_t i = 0; i < saved.size(); ++i) {
    const VisitedNumber& number = state.numbers[i];
    const auto& [path, value] = saved[i];
    if (path != number.path) {
      mismatches.add("integers", concat("`", number.path, "`, in the file `", path, "`"));
    } else if (number.set != nullptr ? !number.fits(value) : value != number.value) {
      mismatches.add("integers", concat("`", path, "` is ", number.value, ", in the file ", value));
    }
  }
}

const std::string& metadata_of(const WeightFile& file, const char* key) {
  const auto found = file.metadata().find(key);
  if (found != file.metadata().end()) return found->second;
  throw Error({.code = ErrorCode::parse,
               .expected = concat("a file of files::save, with `", key, "` in its metadata"),
               .given = concat("`", file.name(), "`"),
               .hint = "files::open_weights reads weights that others wrote"});
}

}  // namespace

void save_state(const std::filesystem::path& path, const StateOut& state) {
  const std::string numbers = numbers_text(state.numbers);
  const std::string checksum = checksum_of(state.tensors, numbers);
  write_safetensors(path, state.tensors, {{kNumbersKey, numbers}, {kChecksumKey, checksum}});
}

void load_state(const std::filesystem::path& path, const StateIn& state) {
  const WeightFile file = read_safetensors(MappedFile::open(path));
  const std::string& numbers = metadata_of(file, kNumbersKey);
  const auto saved = read_numbers(numbers, file.name());
  Mismatches mismatches;
  compare_tensors(state, file, mismatches);
  compare_numbers(state, saved, mismatches);
  mismatches.throw_if_any(file.name());

  NamedTensors all;
  for (const StoredTensor& stored : file.tensors()) all.emplace_back(stored.name, stored.data);
  const std::string checksum = checksum_of(std::move(all), numbers);
  if (checksum != metadata_of(file, kChecksumKey)) {
    refuse_file(file.name(), concat("content with checksum ", metadata_of(file, kChecksumKey)),
                concat("checksum ", checksum));
  }
  // A tensor that cannot be written is an error before the first one is.
  for (const auto& [ignored, tensor] : state.tensors) {
    if (tensor->defined()) check_can_be_assigned(*tensor);
  }
  for (const auto& [name, tensor] : state.tensors) {
    const StoredTensor* stored = file.find(name);
    if (tensor->defined()) {
      assign(*tensor, stored->data);
    } else if (stored != nullptr) {
      *tensor = stored->data;
    }
  }
  for (size_t i = 0; i < saved.size(); ++i) {
    const VisitedNumber& number = state.numbers[i];
    if (number.set != nullptr) number.set(number.member, saved[i].second);
  }
}

}  // namespace ridge::files::detail
