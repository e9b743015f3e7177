#include "ridge/ops/einsum.h"

#include <algorithm>
#include <map>
#include <string>

#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/view.h"

namespace ridge {

namespace {

// A letter, or a negative number for a dimension that "..." stands for, -1 being the last.
using Label = int;
using Labels = std::vector<Label>;
constexpr Label kEllipsis = 0;  // before it is known how many dimensions there are

struct Equation {
  std::vector<Labels> operands;
  Labels result;
  bool has_result = false;
};

bool holds(const Labels& labels, Label label) {
  return std::ranges::find(labels, label) != labels.end();
}

class Einsum {
 public:
  Einsum(std::string_view equation, const std::vector<Tensor>& operands, Location where)
      : text_(equation), tensors_(operands), where_(where) {}

  Tensor run() {
    read();
    RIDGE_CHECK(
        equation_.operands.size() == tensors_.size(), .code = ErrorCode::value, .op = "einsum",
        .expected = concat("as many operands as \"", text_, "\" has, ", equation_.operands.size()),
        .given = concat(tensors_.size()), .where = where_);
    expand_ellipses();
    find_sizes();
    if (!equation_.has_result) make_result();
    check_result();

    Operand whole = prepared(0);
    for (size_t i = 1; i < tensors_.size(); ++i) whole = product(whole, prepared(i), i);
    return finished(whole);
  }

 private:
  struct Operand {
    Tensor tensor;
    Labels labels;
  };

  [[noreturn]] void fail(ErrorCode code, std::string expected, std::string given) const {
    throw_error({.code = code,
                 .op = "einsum",
                 .expected = std::move(expected),
                 .given = std::move(given),
                 .where = where_});
  }
  static std::string text_of(Label label) {
    return label > 0 ? concat("'", std::string(1, static_cast<char>(label)), "'")
                     : concat("dim ", label, " of '...'");
  }

  // --- the text ---
  void read() {
    std::string letters;
    for (const char c : text_) {
      if (c != ' ') letters += c;
    }
    const size_t arrow = letters.find("->");
    std::string inputs = letters.substr(0, arrow);
    equation_.has_result = arrow != std::string::npos;
    if (equation_.has_result) equation_.result = read_labels(letters.substr(arrow + 2));
    size_t start = 0;
    for (size_t comma = inputs.find(','); comma != std::string::npos;
         comma = inputs.find(',', start)) {
      equation_.operands.push_back(read_labels(inputs.substr(start, comma - start)));
      start = comma + 1;
    }
    equation_.operands.push_back(read_labels(inputs.substr(start)));
  }

  Labels read_labels(const std::string& letters) const {
    Labels labels;
    for (size_t i = 0; i < letters.size(); ++i) {
      const char c = letters[i];
      if (letters.compare(i, 3, "...") == 0 && !holds(labels, kEllipsis)) {
        labels.push_back(kEllipsis);
        i += 2;
      } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        labels.push_back(c);
      } else {
        fail(ErrorCode::value, "letters, '...' at most once an operand, ',' and one '->'",
             concat("\"", text_, "\""));
      }
    }
    return labels;
  }

  // --- labels and sizes ---
  // Each "..." by the dimensions it stands for; that of the result by those of the widest operand.
  void expand_ellipses() {
    int widest = 0;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      Labels& labels = equation_.operands[i];
      const bool has_ellipsis = holds(labels, kEllipsis);
      const auto named = static_cast<int64_t>(labels.size()) - (has_ellipsis ? 1 : 0);
      const int64_t rest = tensors_[i].rank(where_) - named;
      if (rest < 0 || (rest > 0 && !has_ellipsis)) {
        fail(ErrorCode::shape,
             concat("operand ", i, " with ", has_ellipsis ? "at least " : "", named, " dims for \"",
                    text_, "\""),
             to_text(tensors_[i].shape()));
      }
      expand_ellipsis(labels, static_cast<int>(rest));
      widest = std::max(widest, static_cast<int>(rest));
    }
    expand_ellipsis(equation_.result, widest);
    ellipsis_rank_ = widest;
  }
  static void expand_ellipsis(Labels& labels, int rank) {
    const auto at = std::ranges::find(labels, kEllipsis);
    if (at == labels.end()) return;
    Labels dims;
    for (int i = rank; i > 0; --i) dims.push_back(-i);
    labels.insert(labels.erase(at), dims.begin(), dims.end());
  }

  void find_sizes() {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      for (size_t d = 0; d < equation_.operands[i].size(); ++d) {
        const Label label = equation_.operands[i][d];
        const Size& size = tensors_[i].shape()[d];
        const auto [known, is_new] = sizes_.try_emplace(label, size);
        if (is_new || known->second.is_same(size) || size == 1) continue;
        if (!(known->second == 1) && !(known->second == size)) {
          fail(ErrorCode::shape, concat("one size for ", text_of(label), " in \"", text_, "\""),
               concat(known->second, " and ", size));
        }
        known->second = size;
      }
    }
  }

  void make_result() {
    std::map<Label, int> uses;
    for (const Labels& labels : equation_.operands) {
      for (const Label label : labels) ++uses[label];
    }
    for (int i = ellipsis_rank_; i > 0; --i) equation_.result.push_back(-i);
    for (const auto& [label, count] : uses) {
      if (label > 0 && count == 1) equation_.result.push_back(label);
    }
  }

  void check_result() const {
    Labels seen;
    for (const Label label : equation_.result) {
      if (holds(seen, label) || !sizes_.contains(label)) {
        fail(ErrorCode::value, "a result whose labels occur in an operand, each once",
             concat(text_of(label), " in \"", text_, "\""));
      }
      seen.push_back(label);
    }
  }

  // Is the label in the result or an operand behind this one?
  bool is_needed_after(Label label, size_t operand) const {
    if (holds(equation_.result, label)) return true;
    for (size_t i = operand + 1; i < tensors_.size(); ++i) {
      if (holds(equation_.operands[i], label)) return true;
    }
    return false;
  }

  // --- the sum of products ---
  // An operand with each label once, summed over what no other one has.
  Operand prepared(size_t number) const {
    Operand operand{tensors_[number], equation_.operands[number]};
    for (size_t i = 0; i < operand.labels.size(); ++i) {
      const auto first = operand.labels.begin() + static_cast<std::ptrdiff_t>(i);
      const auto again = std::find(first + 1, operand.labels.end(), operand.labels[i]);
      if (again == operand.labels.end()) continue;
      operand = diagonal(operand, i, static_cast<size_t>(again - operand.labels.begin()));
      i = static_cast<size_t>(-1);  // the order has changed
    }
    Ints alone;
    Labels kept;
    for (size_t d = 0; d < operand.labels.size(); ++d) {
      const Label label = operand.labels[d];
      bool is_used = is_needed_after(label, number);
      for (size_t i = 0; i < number; ++i) is_used |= holds(equation_.operands[i], label);
      if (is_used) kept.push_back(label);
      if (!is_used) alone.push_back(static_cast<int64_t>(d));
    }
    if (!alone.empty()) operand = {sum({operand.tensor, where_}, alone), kept};
    return operand;
  }

  // Two dimensions of one label, as the last one: each n + 1st element of the n * n.
  Operand diagonal(const Operand& operand, size_t a, size_t b) const {
    Ints order;
    Labels labels;
    for (size_t d = 0; d < operand.labels.size(); ++d) {
      if (d == a || d == b) continue;
      order.push_back(static_cast<int64_t>(d));
      labels.push_back(operand.labels[d]);
    }
    order.push_back(static_cast<int64_t>(a));
    order.push_back(static_cast<int64_t>(b));
    labels.push_back(operand.labels[a]);
    const int64_t n = operand.tensor.shape()[a].value(where_);
    if (!(operand.tensor.shape()[b] == n)) {
      fail(ErrorCode::shape, concat("equal sizes along ", text_of(operand.labels[a])),
           to_text(operand.tensor.shape()));
    }
    Tensor x = permute({operand.tensor, where_}, order);
    x = flatten({x, where_}, -2, -1);
    return {slice({x, where_}, -1, 0, kEnd, n + 1), labels};
  }

  Size size_of(const Labels& labels) const {
    Size product = 1;
    for (const Label label : labels) product = product * sizes_.at(label);
    return product;
  }

  // The dimensions of the operand in this order, 1 for labels it lacks. Shared ones are stretched.
  Tensor arranged(const Operand& operand, const Labels& order, const Labels& stretched) const {
    Ints dims;
    Shape shape;
    for (const Label label : order) {
      dims.push_back(std::ranges::find(operand.labels, label) - operand.labels.begin());
      const Size& own = operand.tensor.shape()[static_cast<size_t>(dims.back())];
      shape.push_back(holds(stretched, label) ? sizes_.at(label) : own);
    }
    return expand({permute({operand.tensor, where_}, dims), where_}, shape);
  }

  Operand product(const Operand& x, const Operand& y, size_t number) const {
    Labels batch, summed, of_x, of_y;
    for (const Label label : x.labels) {
      const bool is_shared = holds(y.labels, label);
      (!is_shared ? of_x : is_needed_after(label, number) ? batch : summed).push_back(label);
    }
    for (const Label label : y.labels) {
      if (!holds(x.labels, label)) of_y.push_back(label);
    }
    const auto joined = [](std::initializer_list<const Labels*> parts) {
      Labels all;
      for (const Labels* part : parts) all.insert(all.end(), part->begin(), part->end());
      return all;
    };
    const Labels x_order = joined({&batch, &of_x, &summed});
    const Labels y_order = joined({&batch, &summed, &of_y});
    const Tensor a = reshape({arranged(x, x_order, x_order), where_},
                             {size_of(batch), size_of(of_x), size_of(summed)});
    const Tensor b = reshape({arranged(y, y_order, y_order), where_},
                             {size_of(batch), size_of(summed), size_of(of_y)});
    const Tensor c = summed.empty() ? mul({a, where_}, b) : batched_matmul({a, where_}, b);
    Operand result{c, joined({&batch, &of_x, &of_y})};
    Shape shape;
    for (const Label label : result.labels) shape.push_back(sizes_.at(label));
    result.tensor = reshape({c, where_}, shape);
    return result;
  }

  // In the order of the result; what only one operand had and nothing needs is summed before.
  Tensor finished(const Operand& whole) const {
    Ints dims;
    for (const Label label : equation_.result) {
      dims.push_back(std::ranges::find(whole.labels, label) - whole.labels.begin());
    }
    return permute({whole.tensor, where_}, dims);
  }

  std::string text_;
  const std::vector<Tensor>& tensors_;
  Location where_;
  Equation equation_;
  std::map<Label, Size> sizes_;
  int ellipsis_rank_ = 0;
};

}  // namespace

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands, Location where) {
  return Einsum(equation, operands, where).run();
}

}  // namespace ridge
