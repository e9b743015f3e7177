#include "ridge/ops/registry.h"

#include <algorithm>

#include "ridge/dispatch/operator_table.h"

namespace ridge::ops {

namespace {

void check_record(const OpRecord& record, const Schema& schema) {
  const int definitions =
      (record.body ? 1 : 0) + (record.define ? 1 : 0) + (record.decompose ? 1 : 0);
  RIDGE_CHECK(definitions == 1, .code = ErrorCode::value, .op = schema.name,
              .expected = "exactly one of .body, .define and .decompose",
              .given = std::to_string(definitions) + " of them", .where = record.where);
  RIDGE_CHECK(record.decompose || record.dtype, .code = ErrorCode::value, .op = schema.name,
              .expected = "a dtype rule", .given = "a record without one", .where = record.where);
  RIDGE_CHECK(!record.dtype || !record.dtype.accepts.empty(), .code = ErrorCode::value,
              .op = schema.name, .expected = "a dtype rule that says what it accepts",
              .given = "an empty list", .where = record.where);
  RIDGE_CHECK(record.decompose || record.shape, .code = ErrorCode::value, .op = schema.name,
              .expected = "a shape rule", .given = "a record without one", .where = record.where);
  RIDGE_CHECK(!record.lower.can || (record.decompose && record.lower.make),
              .code = ErrorCode::value, .op = schema.name,
              .expected = ".lower with both of its functions, beside .decompose",
              .given = "a record without one of them", .where = record.where);
  RIDGE_CHECK(!record.doc.empty(), .code = ErrorCode::value, .op = schema.name,
              .expected = "a line of documentation", .given = "a record without one",
              .where = record.where);
}

bool has_in_place_form(const OpRecord& record, const Schema& schema) {
  const bool writes_like_input = has(record.traits, Trait::Pointwise | Trait::InPlace);
  return writes_like_input && !schema.parameters.empty() && schema.results.size() == 1 &&
         schema.parameters[0].kind == ArgKind::tensor;
}

// add(Tensor x, Tensor y) -> Tensor   becomes   add_(Tensor(a!) x, Tensor y) -> Tensor(a!)
Schema in_place_schema(Schema schema) {
  schema.name += "_";
  if (schema.parameters.empty() || schema.results.empty()) return schema;
  schema.parameters[0].alias = {'a', true};
  schema.results[0].alias = {'a', true};
  return schema;
}

// The function, if the body is nothing but that function of the operands in order.
std::optional<expr::Function> plain_function(const OpRecord& record, const Schema& schema) {
  if (!record.body) return std::nullopt;
  std::vector<expr::Type> types(schema.parameters.size(), expr::Type::real);
  const expr::Expr body = record.body(Scalars(schema, types));
  if (body->kind != expr::Kind::call || body->args.size() != types.size()) return std::nullopt;
  for (size_t i = 0; i < types.size(); ++i) {
    // Logic converts its operands to boolean first; the op does the same.
    const expr::Expr* operand = &body->args[i];
    if ((*operand)->kind == expr::Kind::cast) operand = &(**operand).args[0];
    const expr::Node& node = **operand;
    if (node.kind != expr::Kind::input || node.index != static_cast<int>(i)) return std::nullopt;
  }
  return body->function;
}

}  // namespace

const OpRecord& Registry::add(OpRecord record, Location where) {
  Schema schema = dispatch::parse_schema(record.schema);
  record.where = where;
  if (has(record.traits, Trait::Pointwise) && !record.shape) record.shape = rule::broadcast;
  check_record(record, schema);

  const std::lock_guard lock(mutex_);
  auto& table = dispatch::OperatorTable::instance();
  OpRecord& kept = records_.emplace_back(std::move(record));
  const auto function = plain_function(kept, schema);
  const Schema in_place = in_place_schema(schema);
  try {
    table.add(std::move(schema), &kept, where, &kept.op);
  } catch (...) {
    records_.pop_back();  // no operator refers to it
    throw;
  }
  // The op stands; a clash of the in-place name alone leaves it without that form, and says so.
  if (has_in_place_form(kept, kept.op->schema())) {
    table.add(in_place, &kept, where, &kept.in_place_op);
  }
  if (function) {
    const OpRecord*& slot = by_function_[static_cast<size_t>(*function)];
    if (slot == nullptr) slot = &kept;
  }
  return kept;
}

std::vector<const OpRecord*> Registry::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<const OpRecord*> list;
  for (const OpRecord& record : records_) {
    if (record.op != nullptr) list.push_back(&record);
  }
  std::sort(list.begin(), list.end(),
            [](const OpRecord* a, const OpRecord* b) { return a->op->name() < b->op->name(); });
  return list;
}

const OpRecord& Registry::at(std::string_view name) const {
  const dispatch::Operator& op = find_op(name);
  RIDGE_CHECK(op.record() != nullptr, .code = ErrorCode::unknown_name,
              .expected = "an op with a record", .given = std::string(name));
  return *op.record();
}

const OpRecord* Registry::op_for(expr::Function function) const {
  const std::lock_guard lock(mutex_);
  return by_function_[static_cast<size_t>(function)];
}

Registry& registry() {
  static Registry& instance = []() -> Registry& {
    // Never destroyed: operators point at records until the process ends.
    auto* created = new Registry;
    register_arithmetic(*created);
    register_comparison(*created);
    register_unary(*created);
    register_activation(*created);
    register_creation(*created);
    register_reduction(*created);
    register_matmul(*created);
    register_view(*created);
    register_slice_scatter(*created);
    register_strided(*created);
    register_join(*created);
    register_indexing(*created);
    register_softmax(*created);
    register_normalization(*created);
    register_loss(*created);
    register_attention(*created);
    register_window(*created);
    register_convolution(*created);
    register_scan(*created);
    register_sorting(*created);
    register_random(*created);
    register_dequantize(*created);
    return *created;
  }();
  return instance;
}

const dispatch::Operator& find_op(std::string_view name) {
  registry();
  return dispatch::OperatorTable::instance().at(name);
}

}  // namespace ridge::ops
