// Lesson 19: functions from functions: jvp, vmap, and what they make together with grad.
//
// A transform takes the graph of a function and gives another one. So they nest in any order, inside
// compile and outside of it, and no op has a rule for any of them: forward derivatives follow from the
// gradient rules, batches from the definitions of the ops.
#include <cstdio>
#include <string>

#include "ridge/ridge.h"

using namespace ridge;

struct Line {
  Tensor slope;
  Tensor offset;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("slope", self.slope);
    visit("offset", self.offset);
  }
};

// For one example: numbers in, a number out.
Tensor error(const Line& line, const Tensor& x, const Tensor& y) {
  return square(line.slope * x + line.offset - y);
}

void print(const char* what, const Tensor& values) {
  std::string text;
  for (const double value : values.to_vector<double>()) text += " " + std::to_string(value);
  std::printf("%s:%s\n", what, text.c_str());
}

int main() {
  const Tensor x = Tensor::of<double>({1, 2, 3}, {3});
  const Tensor v = Tensor::of<double>({1, 0, -1}, {3});

  // The value of f at x, and how fast it changes in the direction v: one pass, nothing kept.
  const auto f = [](const Tensor& t) { return sin(t) * sum(t); };
  const auto [value, derivative] = jvp(f)(x, v);
  print("jvp", derivative);

  // The Hessian of x0^3 + x1^3 + x2^3 is 6 x on the diagonal; a product with it needs no matrix.
  const auto cubes = [](const Tensor& t) { return sum(t * t * t); };
  print("hessian_vector_product", hessian_vector_product(cubes)(x, v));
  print("hessian", hessian(cubes)(x));

  // The gradient of every example, as one program over the whole batch.
  const Line line{Tensor::of<double>({2}, {}), Tensor::of<double>({-1}, {})};
  const Tensor y = Tensor::of<double>({1, 2, 9}, {3});
  const auto each = compile(
      [](const Line& l, const Tensor& xs, const Tensor& ys) {
        return vmap(grad(error), {.in_axes = {std::nullopt, 0, 0}})(l, xs, ys);
      },
      {.name = "each"});
  print("gradients by the slope", each(line, x, y).slope);

  // What vmap writes: the calls of one example, with one more axis.
  const auto norm = [](const Tensor& row) { return sqrt(sum(row * row, {0})); };
  const auto norms = vmap(norm);
  const auto graph = capture::capture(norms, {.name = "norms"}, full({4, 3}, 1)).graph;
  for (const graph::Node& node : graph.nodes) {
    std::printf("%s -> %s\n", node.op->name().c_str(),
                to_text(graph[node.results[0]].type).c_str());
  }
}
