// What a random graph is built with: values known so far, each as a fake tensor of the recorder and as
// real data, so that a call can be tried on data before it is recorded.
//
//   const size_t x = *builder.pick([](const Tensor& t) { return t.rank() == 2; });
//   builder.attempt({x}, [](Operands v) -> Tensors { return {transpose(v[0], 0, 1)}; });
//
// A call that fails, or whose results are too large, too many or not finite, is not recorded. So the
// graphs that come out are valid, and their numbers stay where comparing them means something.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/graph/recorder.h"
#include "ridge/ops/control.h"
#include "ridge/ops/record.h"
#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {

using dispatch::Tensors;
using Operands = std::span<const Tensor>;
using CallOf = std::function<Tensors(Operands)>;

class GraphBuilder {
 public:
  explicit GraphBuilder(uint64_t seed);

  // --- chance ---
  int64_t integer(int64_t low, int64_t high) { return random_.integer(low, high); }
  bool chance(double p) { return random_.uniform(0, 1) < p; }
  DType dtype();
  DType floating_dtype();
  int64_t extent();                   // of a dimension: small, odd, sometimes 0
  Shape shape(int64_t max_rank = 4);  // of up to 8 dimensions where a graph may have so many
  int64_t dim(int64_t rank);          // of a tensor of that rank >= 1, sometimes from the end
  double number();                    // a few eighths

  // --- values ---
  // Some graphs have values of more than 2^20 elements, and little else.
  bool is_long() const { return most_elements_ > kLongFrom; }
  size_t count() const { return known_.size(); }
  const Tensor& value(size_t i) const { return known_[i].value; }
  size_t input(DType dtype, const Shape& shape, std::string kind = {});
  // A value for which `suits` holds, newer ones likelier.
  std::optional<size_t> pick(const std::function<bool(const Tensor&)>& suits);
  std::pair<double, double> range(size_t i) const;  // of its finite elements; {0, 0} if none
  void keep(size_t i) { kept_.push_back(i); }       // as an output, whoever else reads it

  // --- calls ---
  // Under autocast, in some graphs.
  bool attempt(std::vector<size_t> operands, const CallOf& call);
  // `call` writes to operand 0, and `trial` computes what it writes.
  bool may_write() const { return !allows_layouts_; }
  bool attempt_write(std::vector<size_t> operands, const CallOf& trial, const CallOf& call);

  size_t node_count() const { return case_.graph.nodes.size(); }
  Case finish();  // outputs chosen; the builder is done

 private:
  struct Known {
    Tensor fake;
    Tensor value;
    bool is_used = false;
  };
  static constexpr int64_t kLongFrom = int64_t{1} << 20;
  bool is_sane(const Tensor& result) const;
  bool record(const std::vector<size_t>& operands, const CallOf& call, const Tensors& values);

  Case case_;
  graph::Recorder recorder_;
  SplitMix64 random_;
  std::vector<Known> known_;
  std::vector<size_t> kept_;
  int64_t most_elements_;
  bool allows_specials_;
  bool allows_high_ranks_;
  std::optional<DType> autocast_;
  // Of inputs. Whether `reshape` of one is a view or a copy then depends on its strides, which the
  // recorder is not told; so such graphs do not write.
  bool allows_layouts_;
  DType favorite_;
};

// Each adds a call, or returns false. They differ in what they call.
bool add_pointwise(GraphBuilder& builder);
bool add_repeated(GraphBuilder& builder);
bool add_write(GraphBuilder& builder);
bool add_reduction(GraphBuilder& builder);
bool add_view(GraphBuilder& builder);
bool add_matmul(GraphBuilder& builder);
bool add_indexing(GraphBuilder& builder);
bool add_join(GraphBuilder& builder);
bool add_composite(GraphBuilder& builder);
bool add_creation(GraphBuilder& builder);
bool add_extremum(GraphBuilder& builder);
bool add_any_sampled(GraphBuilder& builder);
// Of one op, or of one kind.
bool add_sampled(GraphBuilder& builder, const ops::OpRecord& record);
bool add_control(GraphBuilder& builder, ops::Control control);

}  // namespace ridge::fuzz
