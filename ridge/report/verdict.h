// What binds a program, told from how its time grows with its work.
//
//   Verdict verdict = judge(report_at_batch, report_at_twice_the_batch);
//   verdict.text        "overhead: twice the batch takes 1.1x as long, for 2.0x the work"
//
// Work is what the model counts by the byte and the flop, so a batch that shares its weights grows
// as little as it should. Time that does not grow with it is overhead, whatever the table says.
#pragma once

#include "ridge/report/explain.h"

namespace ridge::report {

struct Verdict {
  cost::Regime regime = cost::Regime::overhead;
  double share = 0;        // of the time that it binds
  double time_growth = 1;  // from the batch to twice the batch
  double work_growth = 1;
  std::string text{};
};

Verdict judge(const Report& once, const Report& twice);

}  // namespace ridge::report
