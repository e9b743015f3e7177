#include "ridge/models/loader.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/files/dequantize.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/view.h"

namespace ridge::models {

namespace {

constexpr std::string_view kNumber = "{}";
constexpr size_t kMostListed = 20;  // names of one kind in an error

std::string with_number(const std::string& pattern, const std::string& number) {
  const size_t at = pattern.find(kNumber);
  if (at == std::string::npos) return pattern;
  return pattern.substr(0, at) + number + pattern.substr(at + kNumber.size());
}

// "12" of "model.layers.12.mlp.w2.weight"; empty for a name without a number.
std::string_view layer_number(std::string_view name) {
  constexpr const char* kDigits = "0123456789";
  const size_t first = name.find_first_of(kDigits);
  if (first == std::string_view::npos) return {};
  return name.substr(first, name.find_first_not_of(kDigits, first) - first);
}

// The number that `name` has in place of "{}", empty for a pattern without one; nothing if it is no match.
std::optional<std::string> match(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) {
    pattern.remove_suffix(1);
    return name.starts_with(pattern) ? std::optional<std::string>("") : std::nullopt;
  }
  const size_t at = pattern.find(kNumber);
  if (at == std::string_view::npos) {
    return pattern == name ? std::optional<std::string>("") : std::nullopt;
  }
  const std::string_view head = pattern.substr(0, at), tail = pattern.substr(at + kNumber.size());
  if (name.size() <= head.size() + tail.size()) return std::nullopt;
  if (!name.starts_with(head) || !name.ends_with(tail)) return std::nullopt;
  const std::string_view number = name.substr(at, name.size() - head.size() - tail.size());
  const bool is_number = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? std::optional<std::string>(number) : std::nullopt;
}

// Part `index` of `count` of a stored tensor.
struct Source {
  const files::StoredTensor* stored = nullptr;
  Change change = Change::none;
  size_t index = 0;
  size_t count = 1;
};

Ints shape_after(const Source& source, const Shape& wanted) {
  Ints shape = source.stored->shape;
  if (source.change == Change::transpose && shape.size() == 2) std::swap(shape[0], shape[1]);
  if (source.change == Change::flatten) {
    int64_t elements = 1, wanted_elements = 1;
    for (const int64_t size : shape) elements *= size;
    for (const Size& size : wanted) wanted_elements *= size.value();
    const bool has_rows = !shape.empty() && !wanted.empty() && wanted[0] == shape[0];
    if (elements == wanted_elements && (has_rows || shape.size() > wanted.size())) {
      shape.clear();
      for (const Size& size : wanted) shape.push_back(size.value());
    }
  }
  const auto parts = static_cast<int64_t>(source.count);
  if (parts > 1 && !shape.empty() && shape[0] % parts == 0) shape[0] /= parts;
  return shape;
}

bool is_equal(const Ints& a, const Shape& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(b[i] == a[i])) return false;
  }
  return true;
}

// A part of the rows, if several fields share them.
Tensor rows_of(const Source& source, const Tensor& x) {
  if (source.count == 1) return x;
  const Size each = x.size(0) / static_cast<int64_t>(source.count);
  const Size start = each * static_cast<int64_t>(source.index);
  return slice(x, 0, start, start + each);
}

// Whether the field takes blocks, and they are stored as a layer reads them: rows of the weight, one
// behind the other.
bool stays(const Field& field, const Source& source, const LoadOptions& options) {
  return field.format != nullptr && options.keeps_blocks && source.stored->blocks &&
         source.change == Change::none && source.stored->shape.size() == 2;
}

Tensor made(const Source& source, const Shape& wanted, const LoadOptions& options) {
  Tensor x = files::dequantized(*source.stored);
  if (source.change == Change::transpose && x.rank() == 2) x = transpose(x, 0, 1);
  x = rows_of(source, x);
  if (source.change == Change::flatten) x = reshape(x, wanted);
  if (x.dtype() != options.dtype) x = cast(x, options.dtype);
  return to_device(contiguous(x), options.device);
}

class Loading {
 public:
  Loading(std::vector<Field> fields, const LoadTable& table, const files::WeightFile& file,
          Location where)
      : fields_(std::move(fields)), table_(table), file_(file), where_(where) {
    for (const Field& field : fields_) by_path_.emplace(field.path, &field);
  }

  void run(const LoadOptions& options) {
    for (const files::StoredTensor& stored : file_.tensors()) place(stored);
    for (const Field& field : fields_) {
      if (!sources_.contains(field.path)) missing_.push_back(name_of(field.path));
    }
    refuse_problems();
    // All of them first: one that cannot be converted, or a device that is full, leaves the model as it was.
    std::vector<Tensor> loaded;
    for (const Field& field : fields_) {
      const Source& source = sources_.at(field.path);
      loaded.push_back(
          stays(field, source, options)
              ? to_device(contiguous(rows_of(source, source.stored->data)), options.device)
              : made(source, field.tensor->shape(), options));
    }
    for (size_t i = 0; i < fields_.size(); ++i) {
      const Source& source = sources_.at(fields_[i].path);
      *fields_[i].tensor = std::move(loaded[i]);
      if (stays(fields_[i], source, options)) *fields_[i].format = source.stored->blocks;
    }
  }

 private:
  void place(const files::StoredTensor& stored) {
    std::string_view name = stored.name;
    const Rule* rule = nullptr;
    std::optional<std::string> number;
    const auto look = [&](std::string_view given) {
      for (const Rule& each : table_.rules) {
        number = match(each.pattern, given);
        if (number) return rule = &each, true;
      }
      return false;
    };
    bool is_known = look(name);
    for (const std::string& prefix : table_.prefixes) {
      if (!is_known && name.starts_with(prefix)) is_known = look(name.substr(prefix.size()));
    }
    if (!is_known) {
      unexpected_.push_back(stored.name);
      return;
    }
    for (size_t i = 0; i < rule->fields.size(); ++i) {
      place_part({&stored, rule->change, i, rule->fields.size()},
                 with_number(rule->fields[i], *number));
    }
  }

  void place_part(const Source& source, const std::string& path) {
    const auto field = by_path_.find(path);
    if (field == by_path_.end() || sources_.contains(path)) {
      unexpected_.push_back(source.stored->name);
      return;
    }
    sources_.emplace(path, source);
    const Shape& wanted = field->second->tensor->shape();
    if (!is_equal(shape_after(source, wanted), wanted)) {
      misshapen_.push_back(concat(files::describe(*source.stored), " ", source.stored->name,
                                  ", for ", path, " ", wanted));
    }
  }

  // How a file names a field: by the first rule that leads to it.
  std::string name_of(const std::string& path) const {
    for (const Rule& rule : table_.rules) {
      for (const std::string& field : rule.fields) {
        if (const auto number = match(field, path)) return with_number(rule.pattern, *number);
      }
    }
    return path;
  }

  std::string listed(std::string_view title, const std::vector<std::string>& names,
                     const std::vector<std::string>& others) const {
    if (names.empty()) return "";
    std::string text = concat("\n  ", title, " (", names.size(), "):");
    std::vector<std::string_view> candidates(others.begin(), others.end());
    for (size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
      text += "\n    " + names[i];
      // Of names that are equally near, one of the same layer.
      std::ranges::stable_partition(candidates, [&](std::string_view name) {
        return layer_number(name) == layer_number(names[i]);
      });
      if (const auto near = closest_name(names[i], candidates))
        text += concat("  (nearest: ", *near, ")");
    }
    if (names.size() > kMostListed)
      text += concat("\n    and ", names.size() - kMostListed, " more");
    return text;
  }

  void refuse_problems() const {
    if (missing_.empty() && unexpected_.empty() && misshapen_.empty()) return;
    std::vector<std::string> stored;
    for (const files::StoredTensor& tensor : file_.tensors()) stored.push_back(tensor.name);
    std::vector<std::string> expected = missing_;
    if (expected.empty()) {
      for (const Field& field : fields_) expected.push_back(name_of(field.path));
    }
    throw_error({.code = ErrorCode::value,
                 .op = "load",
                 .expected = concat("the tensors of the model in ", file_.name()),
                 .given = concat("a file that differs:", listed("missing", missing_, stored),
                                 listed("unexpected", unexpected_, expected),
                                 listed("misshapen", misshapen_, {})),
                 .where = where_});
  }

  std::vector<Field> fields_;
  const LoadTable& table_;
  const files::WeightFile& file_;
  Location where_;
  std::map<std::string, const Field*> by_path_;
  std::map<std::string, Source> sources_;
  std::vector<std::string> missing_, unexpected_, misshapen_;
};

}  // namespace

void load_fields(std::vector<Field> fields, const LoadTable& table, const files::WeightFile& file,
                 const LoadOptions& options, Location where) {
  Loading(std::move(fields), table, file, where).run(options);
}

}  // namespace ridge::models
