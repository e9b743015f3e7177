#include "explain_json.h"

#include "or_null.h"

namespace ridge::command {
namespace {

using nlohmann::ordered_json;
using report::KernelRow;

ordered_json kernel_json(const KernelRow& row) {
  ordered_json json = {{"name", row.name},   {"ops", row.ops},          {"layers", row.scopes},
                       {"lines", row.lines}, {"class", name(row.kind)}, {"bytes", row.bytes},
                       {"flops", row.flops}};
  for (const char* key : {"issued_bytes", "transaction_bytes", "moved_bytes", "floor_us",
                          "predicted_us", "bound", "regime"}) {
    json[key] = nullptr;
  }
  if (row.price) {
    json["issued_bytes"] = row.price->issued_bytes;
    json["transaction_bytes"] = row.price->transaction_bytes;
    json["moved_bytes"] = row.price->moved_bytes;
    json["floor_us"] = 1e6 * row.price->floor;
    json["predicted_us"] = 1e6 * row.price->predicted;
    json["bound"] = name(row.price->limiter);
    json["regime"] = name(regime_of(row.price->limiter));
  }
  json["measured_us"] = or_null(row.measured_us());
  json["reached_fraction"] = or_null(row.reached_fraction());
  return json;
}

ordered_json decision_json(const Decision& decision) {
  return {{"verdict", decision.verdict},
          {"reason", decision.reason},
          {"cost_if_yes_us", or_null(decision.cost_if_yes_us)},
          {"cost_if_no_us", or_null(decision.cost_if_no_us)}};
}

}  // namespace

ordered_json explain_json(const report::Report& report, const report::Verdict& verdict) {
  ordered_json json = {{"program", report.name},
                       {"sheet", report.sheet->name},
                       {"sheet_version", report.sheet->version},
                       {"is_measured_sheet", report.sheet->is_measured},
                       {"convention", "an FMA counts as 2 flops"},
                       {"absent_figures", report::absent_of(report.rows)},
                       {"run_us", or_null(report.run_us)}};
  ordered_json& kernels = json["kernels"] = ordered_json::array();
  for (const KernelRow& row : report.rows) kernels.push_back(kernel_json(row));
  ordered_json& classes = json["classes"] = ordered_json::array();
  for (const report::ClassSummary& one : report.classes) {
    classes.push_back({{"class", name(one.kind)},
                       {"kernels", one.kernels},
                       {"flops_share", one.flops_share},
                       {"time_share", one.time_share}});
  }
  ordered_json& refused = json["refused"] = ordered_json::array();
  for (const report::RefusedFusion& one : report.refused) {
    refused.push_back({{"producer", one.producer},
                       {"consumer", one.consumer},
                       {"reason", one.reason},
                       {"gain_us", or_null(one.gain_us)},
                       {"bytes", one.bytes},
                       {"count", one.count}});
  }
  json["refused_count"] = report.refused_count;
  ordered_json& mappings = json["mappings"] = ordered_json::array();
  for (const report::MappingChoice& one : report.mappings) {
    ordered_json decisions = ordered_json::array();
    for (const Decision& decision : one.decisions) decisions.push_back(decision_json(decision));
    mappings.push_back({{"kernel", one.kernel}, {"decisions", decisions}});
  }
  json["verdict"] = {{"regime", name(verdict.regime)},
                     {"share", verdict.share},
                     {"time_growth", verdict.time_growth},
                     {"work_growth", verdict.work_growth},
                     {"text", verdict.text}};
  return json;
}

}  // namespace ridge::command
