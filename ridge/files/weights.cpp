#include "ridge/files/weights.h"

#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"
#include "ridge/files/dequantize.h"

namespace ridge::files {
namespace {

std::vector<std::string_view> names_of(const std::vector<StoredTensor>& tensors) {
  std::vector<std::string_view> names;
  for (const StoredTensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

}  // namespace

std::string describe(const StoredTensor& tensor) {
  return concat(tensor.blocks ? ridge::name(*tensor.blocks) : ridge::name(tensor.data.dtype()),
                to_text(tensor.shape));
}

WeightFile::WeightFile(std::string name, std::string format, std::vector<StoredTensor> tensors,
                       std::map<std::string, std::string> metadata)
    : name_(std::move(name)),
      format_(std::move(format)),
      tensors_(std::move(tensors)),
      metadata_(std::move(metadata)) {
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (!positions_.emplace(tensors_[i].name, i).second) {
      refuse_file(name_, "names that occur once", concat("`", tensors_[i].name, "` twice"));
    }
  }
}

const StoredTensor* WeightFile::find(std::string_view name) const {
  const auto found = positions_.find(name);
  return found == positions_.end() ? nullptr : &tensors_[found->second];
}

const StoredTensor& WeightFile::stored(std::string_view name, Location where) const {
  if (const StoredTensor* found = find(name)) return *found;
  throw Error(
      {.code = ErrorCode::unknown_name,
       .expected = concat("the name of one of ", tensors_.size(), " tensors of `", name_, "`"),
       .given = concat("`", name, "`"),
       .hint = did_you_mean(name, names_of(tensors_)),
       .where = where});
}

Tensor WeightFile::tensor(std::string_view name, Location where) const {
  const StoredTensor& found = stored(name, where);
  RIDGE_CHECK(!found.blocks, .code = ErrorCode::dtype, .expected = "a tensor of plain elements",
              .given = concat("`", name, "`: ", describe(found)),
              .hint = "dense(name) dequantizes it to f32, stored(name) has its blocks",
              .where = where);
  return found.data;
}

Tensor WeightFile::dense(std::string_view name, Location where) const {
  return dequantized(stored(name, where));
}

}  // namespace ridge::files
