// Lesson 6: a size is a number or a name.
//
// Shape rules compute with both. Asking a size for its number is allowed anywhere, but for a name it
// leaves a guard: the assumption under which the answer holds, with the line that made it.
#include <iostream>

#include "ridge/expr/text.h"
#include "ridge/ridge.h"

using namespace ridge;

int main() {
  const auto log = std::make_shared<expr::GuardLog>();
  const Size batch = symbolic_size("batch", {1, 4096}, 32, log);
  const Tensor images = Tensor::empty({batch, 28, 28}, f32, kMeta);
  const Tensor rows = reshape(images, {batch, 784});
  std::cout << "images:  " << describe(images) << "\n";
  std::cout << "rows:    " << describe(rows) << "\n";
  std::cout << "doubled: " << describe(cat({rows, rows}, 0)) << "\n";
  std::cout << "pairs:   " << describe(slice(rows, 0, 0, 1 << 20, 2)) << "\n";
  std::cout << "guards so far: " << log->guards().size() << "\n\n";

  if (batch > 8) std::cout << "more than eight: a guard now says so\n";
  for (const expr::Guard& guard : log->guards()) {
    std::cout << "assumed: " << expr::to_text(guard.condition) << ", at line " << guard.where.line()
              << "\n";
  }
}
