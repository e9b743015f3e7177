#include "ridge/base/text.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/mapping/mapping.h"

namespace ridge::mapping {
namespace {

constexpr std::string_view kFields[] = {"family", "unit",    "tile",  "consumers", "stages",
                                        "group",  "cluster", "split", "store",     "align",
                                        "blocks", "pdl",     "lhs",   "rhs"};
static_assert(std::size(kFields) == kFieldCount);
constexpr std::string_view kUnits[] = {"wgmma", "mma"};
constexpr std::string_view kConsumers[] = {"cooperative", "ping_pong"};
constexpr std::string_view kStores[] = {"tile", "elements"};
constexpr std::string_view kAlignments[] = {"given", "padded", "realigned"};
constexpr std::string_view kHints[] = {"normal", "evict_first", "evict_last"};
constexpr std::string_view kSwitch[] = {"off", "on"};
constexpr std::string_view kFamilies[] = {"product"};

// Larger numbers are no part of any mapping: this keeps products of them small.
constexpr int kLargestNumber = 65536;

template <class Enum>
std::string_view name_of(std::span<const std::string_view> names, Enum value) {
  return names[static_cast<size_t>(value)];
}

// One line of words, read from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { skip_blanks(); }

  bool is_at_end() const { return at_ == text_.size(); }
  size_t column() const { return at_ + 1; }
  std::string_view next() const { return text_.substr(at_, word_length()); }
  void take() {
    at_ += word_length();
    skip_blanks();
  }

  int number(std::string_view what) {
    const std::string_view word = next();
    const int value = leading_number(word, what);
    if (rest_ != word.size()) fail(concat("a number of ", what));
    take();
    return value;
  }
  // 128x256x64
  void tile(Product& product) {
    std::string_view word = next();
    int* const parts[] = {&product.rows, &product.columns, &product.depth};
    for (int* part : parts) {
      *part = leading_number(word, "rows, columns and depth, as in 128x256x64");
      word.remove_prefix(rest_);
      const bool is_last = part == parts[2];
      if (is_last ? !word.empty() : !word.starts_with('x')) fail("a tile as in 128x256x64");
      if (!is_last) word.remove_prefix(1);
    }
    take();
  }
  template <class Enum>
  Enum choice(std::span<const std::string_view> names) {
    const auto found = std::ranges::find(names, next());
    if (found == names.end()) fail(expected_of(names), did_you_mean(next(), names));
    take();
    return static_cast<Enum>(found - names.begin());
  }

  [[noreturn]] void fail(std::string expected, std::string hint = {}) const {
    throw Error({.code = ErrorCode::parse,
                 .op = "mapping",
                 .expected = std::move(expected),
                 .given = concat(is_at_end() ? "the end" : concat("`", next(), "`"), " at column ",
                                 column(), " of `", text_, "`"),
                 .hint = std::move(hint)});
  }
  static std::string expected_of(std::span<const std::string_view> names) {
    return names.size() == 1 ? concat("`", names[0], "`") : "one of " + join(names, ", ");
  }

 private:
  size_t word_length() const {
    return std::min(text_.find_first_of(" \t", at_), text_.size()) - at_;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }
  int leading_number(std::string_view word, std::string_view what) {
    int value = 0;
    const auto [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    rest_ = static_cast<size_t>(stop - word.data());
    if (failure != std::errc() || value < 1 || value > kLargestNumber) {
      fail(concat("a number of ", what));
    }
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t rest_ = 0;  // length of the number read last
};

void read_store(Reader& reader, Product& product) {
  product.store = reader.choice<StoreWay>(kStores);
  if (product.store == StoreWay::tile) product.store_buffers = reader.number("buffers");
}

void read_field(Reader& reader, Field field, Mapping& mapping) {
  Product& product = std::get<Product>(mapping.family);
  Launch& launch = mapping.launch;
  switch (field) {
    case Field::family:
    case Field::unit:
    case Field::tile:
    case Field::consumers: reader.fail("the name of a field");
    case Field::stages: product.stages = reader.number("stages"); return;
    case Field::group: product.group = reader.number("rows of tiles"); return;
    case Field::cluster: launch.cluster = reader.number("blocks"); return;
    case Field::split: product.split = reader.number("parts"); return;
    case Field::store: read_store(reader, product); return;
    case Field::align: mapping.alignment = reader.choice<Alignment>(kAlignments); return;
    case Field::blocks: launch.min_blocks_per_sm = reader.number("blocks"); return;
    case Field::pdl: launch.pdl = reader.choice<bool>(kSwitch); return;
    case Field::lhs: launch.lhs = reader.choice<CacheHint>(kHints); return;
    case Field::rhs: launch.rhs = reader.choice<CacheHint>(kHints); return;
  }
}

constexpr size_t kFirstNamed = static_cast<size_t>(Field::stages);

Field field_name(const Reader& reader) {
  const std::span names = std::span(kFields).subspan(kFirstNamed);
  const auto found = std::ranges::find(names, reader.next());
  if (found == names.end()) {
    reader.fail(Reader::expected_of(names), did_you_mean(reader.next(), names));
  }
  return static_cast<Field>(kFirstNamed + static_cast<size_t>(found - names.begin()));
}

void append_launch(std::string& text, const Launch& launch) {
  const Launch usual;
  if (launch.cluster != usual.cluster) text += concat(" cluster ", launch.cluster);
  if (launch.min_blocks_per_sm != 1) text += concat(" blocks ", launch.min_blocks_per_sm);
  if (launch.pdl) text += " pdl on";
  if (launch.lhs != usual.lhs) text += concat(" lhs ", name(launch.lhs));
  if (launch.rhs != usual.rhs) text += concat(" rhs ", name(launch.rhs));
}

}  // namespace

std::string_view name(Field field) { return name_of(kFields, field); }
std::string_view name(MatrixUnit unit) { return name_of(kUnits, unit); }
std::string_view name(Consumers consumers) { return name_of(kConsumers, consumers); }
std::string_view name(StoreWay store) { return name_of(kStores, store); }
std::string_view name(Alignment alignment) { return name_of(kAlignments, alignment); }
std::string_view name(CacheHint hint) { return name_of(kHints, hint); }

std::string to_text(const Mapping& mapping) {
  const Product& p = std::get<Product>(mapping.family);
  std::string text =
      concat("product ", name(p.unit), " ", p.rows, "x", p.columns, "x", p.depth, " ",
             name(p.consumers), " ", p.warpgroups, " stages ", p.stages, " group ", p.group);
  if (p.split != 1) text += concat(" split ", p.split);
  const bool is_usual = p.store == StoreWay::tile && p.store_buffers == Product{}.store_buffers;
  if (!is_usual) text += concat(" store ", name(p.store));
  if (!is_usual && p.store == StoreWay::tile) text += concat(" ", p.store_buffers);
  if (mapping.alignment != Alignment::given) text += concat(" align ", name(mapping.alignment));
  append_launch(text, mapping.launch);
  return text;
}

ParsedMapping parse(std::string_view text) {
  Reader reader(text);
  ParsedMapping parsed;
  Product& product = std::get<Product>(parsed.mapping.family);
  const auto begins = [&](Field field) -> size_t& {
    return parsed.columns[static_cast<size_t>(field)];
  };
  begins(Field::family) = reader.column();
  reader.choice<size_t>(kFamilies);
  begins(Field::unit) = reader.column();
  product.unit = reader.choice<MatrixUnit>(kUnits);
  begins(Field::tile) = reader.column();
  reader.tile(product);
  begins(Field::consumers) = reader.column();
  product.consumers = reader.choice<Consumers>(kConsumers);
  product.warpgroups = reader.number("warpgroups");
  while (!reader.is_at_end()) {
    const Field field = field_name(reader);
    if (begins(field) != 0) reader.fail(concat("`", name(field), "` once"));
    begins(field) = reader.column();
    reader.take();
    read_field(reader, field, parsed.mapping);
  }
  for (size_t& column : parsed.columns) {
    if (column == 0) column = text.size() + 1;
  }
  return parsed;
}

}  // namespace ridge::mapping
