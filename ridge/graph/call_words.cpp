#include "ridge/graph/call_words.h"

#include <bit>
#include <utility>

#include "ridge/base/hash.h"

namespace ridge::graph {
namespace {

class Writer {
 public:
  Writer(const Graph& graph, const Node& node) : graph_(graph) {
    add(reinterpret_cast<uintptr_t>(node.op));
    for (const Argument& arg : node.args) {
      add(arg.index());
      std::visit([this](const auto& held) { add_argument(held); }, arg);
    }
  }
  CallWords take() { return std::move(words_); }

 private:
  void add(uint64_t word) { words_.push_back(word); }
  void add_argument(std::monostate) {}
  void add_argument(ValueId id) {
    const Type& type = graph_[id].type;
    add_argument(type.dtype);
    add_argument(type.shape);
    add(type.is_weak ? 1 : 0);
  }
  void add_argument(const ValueIds& ids) {
    add(ids.size());
    for (const ValueId id : ids) add_argument(id);
  }
  void add_argument(int64_t number) { add(static_cast<uint64_t>(number)); }
  void add_argument(double number) { add(std::bit_cast<uint64_t>(number)); }
  void add_argument(bool flag) { add(flag ? 1 : 0); }
  void add_argument(DType dtype) { add(static_cast<uint64_t>(dtype.kind) << 32 | dtype.bits); }
  void add_argument(Device device) {
    add(static_cast<uint64_t>(device.kind) << 32 | static_cast<uint32_t>(device.index));
  }
  void add_argument(const Ints& list) {
    add(list.size());
    for (const int64_t number : list) add_argument(number);
  }
  void add_argument(const Shape& shape) {
    add(shape.size());
    for (const Size& size : shape) add(size.hash());
  }
  void add_argument(const Body& body) { add(reinterpret_cast<uintptr_t>(body.get())); }

  const Graph& graph_;
  CallWords words_;
};

}  // namespace

CallWords call_words(const Graph& graph, const Node& node) { return Writer(graph, node).take(); }

size_t CallWordsHash::operator()(const CallWords& words) const {
  return static_cast<size_t>(Hasher().combine(words).digest());
}

}  // namespace ridge::graph
