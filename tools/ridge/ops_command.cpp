// `ridge ops`: what ops there are, from their records.
#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/expr/text.h"
#include "ridge/ops/record.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"
#include "usage.h"

namespace ridge::command {

namespace {

using nlohmann::ordered_json;
using ops::OpRecord;

const char* definition(const OpRecord& record) {
  if (record.body) return "scalar expression";
  return record.define ? "indexed expression" : "decomposition into other ops";
}

const char* gradient_source(const OpRecord& record) {
  if (!record.has_gradient()) return "none";
  if (record.grad) return "given";
  return record.body ? "derived from the expression" : "derived from the decomposition";
}

std::string body_text(const OpRecord& record) {
  const auto& schema = record.op->schema();
  const std::vector<expr::Type> types(schema.parameters.size(), expr::Type::real);
  return expr::to_text(record.body(ops::Scalars(schema, types)));
}

ordered_json describe_op(const OpRecord& record) {
  ordered_json dtypes = ordered_json::array();
  for (const DType dtype : ops::accepted_dtypes(record)) dtypes.push_back(name(dtype));
  return {{"name", record.op->name()},
          {"schema", record.op->schema().to_text()},
          {"doc", record.doc},
          {"dtypes", std::move(dtypes)},
          {"has_gradient", record.has_gradient()},
          {"gradient", gradient_source(record)},
          {"has_in_place_form", record.in_place_op != nullptr},
          {"definition", definition(record)},
          {"autocast", ops::name(record.autocast)}};
}

ordered_json describe_in_full(const OpRecord& record) {
  ordered_json json = describe_op(record);
  if (record.body) json["expression"] = body_text(record);
  json["result_dtype"] = record.dtype ? record.dtype.name : "that of its parts";
  json["registered_at"] = to_text(record.where);
  json["dispatch"] = dispatch::OperatorTable::instance().table_text(*record.op);
  return json;
}

void print_list(const std::vector<const OpRecord*>& records) {
  for (const OpRecord* record : records) {
    const ordered_json op = describe_op(*record);
    std::cout << op["schema"].get<std::string>() << "\n    " << record->doc << "\n    dtypes:";
    for (const auto& dtype : op["dtypes"]) std::cout << " " << dtype.get<std::string>();
    std::cout << "; gradient: " << gradient_source(*record) << "\n";
  }
  std::cout << records.size() << " ops\n";
}

void print_one(const OpRecord& record) {
  const ordered_json op = describe_in_full(record);
  std::cout << op["schema"].get<std::string>() << "\n\n" << record.doc << "\n\n";
  const auto row = [](const std::string& label, const std::string& value) {
    std::cout << label << std::string(label.size() < 14 ? 14 - label.size() : 1, ' ') << value
              << "\n";
  };
  std::string dtypes;
  for (const auto& dtype : op["dtypes"]) dtypes += dtype.get<std::string>() + " ";
  row("definition", definition(record));
  if (record.body) row("expression", op["expression"].get<std::string>());
  row("dtypes", dtypes);
  row("result dtype", op["result_dtype"].get<std::string>());
  row("gradient", gradient_source(record));
  if (!record.saves.empty()) row("saves", std::string(record.saves));
  row("autocast", std::string(ops::name(record.autocast)));
  row("in place", record.in_place_op ? record.in_place_op->schema().to_text() : "no");
  row("registered at", op["registered_at"].get<std::string>());
  std::cout << "\ndispatch table, first to run at the top\n" << op["dispatch"].get<std::string>();
}

void show_ops(const std::string& name, bool as_json) {
  if (!name.empty()) {
    const OpRecord& record = *as_usage([&] { return &ops::registry().at(name); });
    if (as_json) {
      std::cout << describe_in_full(record).dump(2) << "\n";
    } else {
      print_one(record);
    }
    return;
  }
  const std::vector<const OpRecord*> records = ops::registry().all();
  if (!as_json) return print_list(records);
  ordered_json list = ordered_json::array();
  for (const OpRecord* record : records) list.push_back(describe_op(*record));
  std::cout << list.dump(2) << "\n";
}

}  // namespace

void add_ops(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ops", "List the ops, or show one of them");
  auto name = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("name", *name, "Show this op's record and dispatch table");
  command->add_flag("--json", *as_json, "Print JSON: a list of objects, or one object for NAME");
  command->callback([name, as_json] { show_ops(*name, *as_json); });
}

}  // namespace ridge::command
