#include "ridge/schedule/lowering_cache.h"

#include <algorithm>
#include <cctype>

#include "ridge/base/text.h"
#include "ridge/schedule/kernel_call.h"

namespace ridge::schedule {
namespace group_names {

// What a group of a form calls things.
struct Numbering {
  const InlinedGraph& program;
  const ValueLocations& locations;
  GroupSignature form;
  int first_scratch;

  int buffer_of(size_t value) const {
    return locations[static_cast<size_t>(form.values[value].index)].buffer;
  }
  std::string name_of_buffer(size_t value) const {
    return buffer_name(program.graph(), form.values[value], buffer_of(value));
  }
  const std::string& name_of_value(size_t value) const {
    return program.graph()[form.values[value]].name;
  }
};

// What a name in a kernel was made of.
struct NameSource {
  enum class Kind : uint8_t { fixed, buffer, planned, value };
  Kind kind = Kind::fixed;
  size_t number = 0;  // of the value in the form, or of the planned buffer among those of the group
  std::string rest{};  // what follows; all of a fixed name

  bool operator==(const NameSource&) const = default;
};

// The name begins with the other, and not only because a number goes on.
bool begins_with(const std::string& name, const std::string& start) {
  if (!name.starts_with(start)) return false;
  return name.size() == start.size() ||
         std::isdigit(static_cast<unsigned char>(name[start.size()])) == 0;
}

// Buffers of the group by number: those of its form, then scratch between its kernels.
int planned_buffer(const Numbering& numbering, size_t number) {
  const std::vector<int>& own = numbering.form.buffers;
  if (number < own.size()) return own[number];
  return numbering.first_scratch + static_cast<int>(number - own.size());
}
size_t number_of_buffer(const Numbering& numbering, int planned) {
  const std::vector<int>& own = numbering.form.buffers;
  const auto found = std::ranges::find(own, planned);
  if (found != own.end()) return static_cast<size_t>(found - own.begin());
  RIDGE_INTERNAL_CHECK(planned >= numbering.first_scratch, "a buffer of another group");
  return own.size() + static_cast<size_t>(planned - numbering.first_scratch);
}

class NameReader {
 public:
  NameReader(const Numbering& numbering, size_t buffers, const KernelCall& call)
      : numbering_(numbering), buffers_(buffers) {
    const Graph& graph = numbering.program.graph();
    for (const int32_t node : call.nodes) {
      op_names_.push_back(graph.nodes[static_cast<size_t>(node)].op->name());
    }
  }

  // Nothing if it could be made of several things.
  std::optional<NameSource> read(const std::string& name) const {
    std::optional<NameSource> found;
    bool is_clear = true;
    const auto note = [&](NameSource source) {
      is_clear &= !found.has_value();
      found = std::move(source);
    };
    for (size_t i = 0; i < numbering_.form.values.size(); ++i) {
      if (numbering_.buffer_of(i) >= 0) {
        const std::string start = numbering_.name_of_buffer(i);
        if (begins_with(name, start)) {
          note({NameSource::Kind::buffer, i, name.substr(start.size())});
        }
      }
      if (!name.empty() && name == numbering_.name_of_value(i)) {
        note({NameSource::Kind::value, i});
        is_clear &= std::ranges::find(op_names_, name) == op_names_.end();
      }
    }
    for (size_t i = 0; i < buffers_; ++i) {
      const std::string start = scratch_name(planned_buffer(numbering_, i));
      if (begins_with(name, start)) {
        note({NameSource::Kind::planned, i, name.substr(start.size())});
      }
    }
    if (!is_clear) return std::nullopt;
    return found.value_or(NameSource{NameSource::Kind::fixed, 0, name});
  }

 private:
  const Numbering& numbering_;
  size_t buffers_;
  std::vector<std::string> op_names_;
};

std::string text_of(const NameSource& source, const Numbering& numbering) {
  switch (source.kind) {
    case NameSource::Kind::fixed: return source.rest;
    case NameSource::Kind::buffer: return numbering.name_of_buffer(source.number) + source.rest;
    case NameSource::Kind::planned:
      return scratch_name(planned_buffer(numbering, source.number)) + source.rest;
    case NameSource::Kind::value: return numbering.name_of_value(source.number);
  }
  return {};
}

}  // namespace group_names

using namespace group_names;  // named, because First has members of its types

// The first group of a form: what became of it, and what that has of its own.
class LoweringCache::First {
 public:
  First(Numbering numbering, const LoweredGroup& lowered)
      : numbering_(std::move(numbering)), lowered_(lowered) {
    for (const KernelCall& call : lowered_.calls) is_clear_ = is_clear_ && read_names(call);
  }

  bool is_clear() const { return is_clear_; }

  // Nothing where a buffer would have the name of a tile, or of what else a kernel declares.
  std::optional<LoweredGroup> of(const Numbering& other) const {
    LoweredGroup result = lowered_;
    size_t next = 0;
    for (KernelCall& call : result.calls) {
      for (loop::Buffer& buffer : call.kernel.buffers) buffer.name = text_of(names_[next++], other);
      for (loop::ValueInfo& value : call.kernel.values) value.name = text_of(names_[next++], other);
      if (has_name_twice(call.kernel)) return std::nullopt;
      for (int& buffer : call.buffers) buffer = moved(buffer, other);
      if (call.product) {
        for (Matrix* matrix : {&call.product->lhs, &call.product->rhs, &call.product->out}) {
          matrix->buffer = moved(matrix->buffer, other);
        }
      }
      for (int32_t& node : call.nodes) node = moved_node(node, other);
      for (KernelCall::Check& check : call.checks) check.node = moved_node(check.node, other);
      for (KernelCall::Stored& stored : call.stored) {
        stored.value = moved(stored.value, other);
        stored.buffer = moved(stored.buffer, other);
      }
    }
    return result;
  }

 private:
  static bool has_name_twice(const loop::Kernel& kernel) {
    const auto is_buffer = [&](const std::string& name) {
      return std::ranges::find(kernel.buffers, name, &loop::Buffer::name) != kernel.buffers.end();
    };
    return std::ranges::any_of(kernel.tiles, is_buffer, &loop::Tile::name) ||
           std::ranges::any_of(kernel.views, is_buffer, &loop::View::name) ||
           std::ranges::any_of(kernel.rings, is_buffer, &loop::Ring::name);
  }
  bool read_names(const KernelCall& call) {
    const NameReader reader(numbering_,
                            numbering_.form.buffers.size() + lowered_.scratch_buffers.size(), call);
    const auto read = [&](const std::string& name) {
      std::optional<NameSource> source = reader.read(name);
      if (source) names_.push_back(std::move(*source));
      return source.has_value();
    };
    return std::ranges::all_of(call.kernel.buffers, read, &loop::Buffer::name) &&
           std::ranges::all_of(call.kernel.values, read, &loop::ValueInfo::name);
  }
  // The nodes that a call computes come in the order of their numbers, which is that of their results.
  int32_t moved_node(int32_t node, const Numbering& other) const {
    return other.program.graph()[moved(numbering_.program.result(node), other)].node;
  }
  ValueId moved(ValueId value, const Numbering& other) const {
    const auto found = std::ranges::find(numbering_.form.values, value);
    RIDGE_INTERNAL_CHECK(found != numbering_.form.values.end(), "a value of another group");
    return other.form.values[static_cast<size_t>(found - numbering_.form.values.begin())];
  }
  int moved(int buffer, const Numbering& other) const {
    return planned_buffer(other, number_of_buffer(numbering_, buffer));
  }

  Numbering numbering_;
  LoweredGroup lowered_;
  std::vector<NameSource> names_;  // of buffers and values, call by call
  bool is_clear_ = true;
};

LoweringCache::LoweringCache(const InlinedGraph& program) : program_(program), forms_(program) {}
LoweringCache::~LoweringCache() = default;

LoweredGroup LoweringCache::lowered(const LoopInput& input,
                                    const std::function<LoweredGroup()>& lower) {
  Numbering numbering{program_, input.locations, forms_.with_memory(input), input.first_scratch};
  const auto [found, is_new] = known_.try_emplace(numbering.form.words);
  if (is_new) {
    LoweredGroup lowered = lower();
    found->second = std::make_unique<First>(std::move(numbering), lowered);
    return lowered;
  }
  if (!found->second->is_clear()) return lower();
  std::optional<LoweredGroup> lowered = found->second->of(numbering);
  return lowered ? std::move(*lowered) : lower();
}

}  // namespace ridge::schedule
