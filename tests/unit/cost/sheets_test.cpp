#include "ridge/cost/sheets.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"

namespace ridge::cost::sheets_test {
namespace {

namespace fs = std::filesystem;

// A folder of its own, in RIDGE_DEVICES and RIDGE_CACHE, so that nothing of the machine is seen.
class Sheets : public testing::Test {
 protected:
  Sheets() { fs::create_directories(folder_); }
  ~Sheets() override { fs::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file) << text;
  }

  std::string error_of(ErrorCode code, const char* name = "h200") const {
    try {
      find_sheet(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    return "no error";
  }

  const fs::path folder_ = fs::temp_directory_path() / concat("ridge_sheets_", ::getpid());
  const ScopedKnob devices_{Knob::devices, folder_.string()};
  const ScopedKnob cache_{Knob::cache, (folder_ / "cache").string()};
};

std::string small_sheet(const std::string& name, const std::string& title,
                        const std::string& more = "") {
  return "ridge-sheet 1\nname " + name + "\ntitle " + title +
         "\nkind gpu\nversion 2026-11-15\nsource here \"a test\" 2026-11-15\n" + more;
}

TEST_F(Sheets, AllShippedOnesParseAndCheckThemselves) {
  std::set<std::string> names;
  for (const ShippedSheet& shipped : shipped_sheets()) {
    const Sheet sheet = parse_sheet(shipped.text, shipped.file);
    EXPECT_EQ(sheet.name + ".sheet", shipped.file);
    EXPECT_EQ(parse_sheet(to_text(sheet), shipped.file), sheet);
    EXPECT_FALSE(sheet.is_measured);
    EXPECT_FALSE(sheet.checks.empty()) << sheet.name;
    EXPECT_TRUE(sheet.bandwidth()) << sheet.name;
    for (const auto& [key, figure] : sheet.figures) {
      EXPECT_EQ(figure.accumulate.empty(), !is_matrix_key(key)) << sheet.name << " " << key;
    }
    for (const Check& check : sheet.checks) {
      EXPECT_NEAR(ratio(check, sheet), 1, check.tolerance) << sheet.name << " " << check.key;
    }
    names.insert(sheet.name);
  }
  for (const char* name :
       {"v100",    "a100-40", "a100-80",  "h100-pcie", "h100-sxm",  "h200",       "b200",
        "l4",      "l40s",    "rtx-3090", "rtx-4090",  "mi250x",    "mi300x",     "tpu-v4",
        "tpu-v5e", "tpu-v5p", "tpu-v6e",  "xeon-8480", "epyc-9654", "generic-cpu"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST_F(Sheets, HaveTheRidgePointsThatArePublished) {
  const auto expect = [](const char* name, const char* key, double flops_per_byte) {
    EXPECT_NEAR(find_sheet(name)->ridge_point(key).value(), flops_per_byte, flops_per_byte * 0.01)
        << name;
  };
  expect("h200", "matrix.bf16", 206);
  expect("h100-sxm", "matrix.bf16", 295);
  expect("a100-40", "matrix.bf16", 201);
  expect("a100-80", "matrix.bf16", 153);
  expect("v100", "matrix.f16", 139);
  expect("tpu-v5e", "matrix.bf16", 241);
  expect("mi300x", "matrix.bf16", 247);
  expect("rtx-3090", "matrix.bf16", 76);
  EXPECT_EQ(find_sheet("l4")->value("dram.peak"), 300e9);  // tables with 3350 copied an H100
}

TEST_F(Sheets, OfTheUserAddAndHide) {
  const size_t shipped = all_sheets().size();
  write("mine.sheet", small_sheet("h200", "mine"));
  write("new.sheet", small_sheet("my-chip", "another"));
  write("notes.txt", "no sheet");
  EXPECT_EQ(all_sheets().size(), shipped + 1);
  EXPECT_EQ(find_sheet("h200")->title, "mine");
  EXPECT_EQ(find_sheet("my-chip")->title, "another");
  EXPECT_EQ(find_sheet("h100-sxm")->title, "NVIDIA H100 SXM5 80 GB");
}

TEST_F(Sheets, OfTheUserWithMistakesAreErrorsWithTheFile) {
  write("a.sheet", small_sheet("one", "a"));
  write("b.sheet", small_sheet("one", "b"));
  const std::string twice = error_of(ErrorCode::value);
  for (const char* word : {"`one`", "a.sheet", "b.sheet"}) {
    EXPECT_NE(twice.find(word), std::string::npos) << twice;
  }
  fs::remove(folder_ / "b.sheet");
  write("a.sheet", small_sheet("one", "a", "figure units many source=here\n"));
  EXPECT_NE(error_of(ErrorCode::parse).find("a.sheet:7: "), std::string::npos);
  fs::remove(folder_ / "a.sheet");
  fs::create_directory(folder_ / "c.sheet");
  EXPECT_NE(error_of(ErrorCode::io).find("c.sheet"), std::string::npos);
  const ScopedKnob nowhere(Knob::devices, (folder_ / "absent").string());
  EXPECT_NE(error_of(ErrorCode::io).find("RIDGE_DEVICES"), std::string::npos);
}

TEST_F(Sheets, SuggestNames) {
  const auto error = [&](const char* name) { return error_of(ErrorCode::unknown_name, name); };
  EXPECT_NE(error("h20").find("did you mean `h200`?"), std::string::npos);
  EXPECT_NE(error("h100").find("did you mean `h100-pcie` or `h100-sxm`?"), std::string::npos);
  EXPECT_NE(error("mi30x").find("did you mean `mi300x`?"), std::string::npos);
  EXPECT_NE(error("this-cpu").find("ridge devices --calibrate"), std::string::npos);
  EXPECT_NE(error("abacus").find("the devices are a100-40, "), std::string::npos);
}

TEST_F(Sheets, CalibratedOneIsFoundInTheCache) {
  EXPECT_EQ(calibrated_path(), (folder_ / "cache" / "this-cpu.sheet").string());
  const size_t shipped = all_sheets().size();
  fs::create_directories(folder_ / "cache");
  EXPECT_EQ(calibrated_sheet(), nullptr);
  write("cache/this-cpu.sheet", small_sheet("this-cpu", processor_name(), "measured\n"));
  EXPECT_EQ(all_sheets().size(), shipped + 1);
  EXPECT_TRUE(find_sheet("this-cpu")->is_measured);
  EXPECT_EQ(calibrated_sheet()->title, processor_name());
}

TEST_F(Sheets, OfAGpuIsTheMeasuredOneOfThatGpu) {
  EXPECT_EQ(calibrated_gpu_path(), (folder_ / "cache" / "this-gpu.sheet").string());
  EXPECT_EQ(gpu_sheet("NVIDIA H200")->name, "h200");
  EXPECT_EQ(gpu_sheet("NVIDIA H200 MIG 3g.71gb")->name, "h200");
  EXPECT_EQ(gpu_sheet("NVIDIA A100-SXM4-80GB")->name, "a100-80");
  EXPECT_EQ(gpu_sheet("NVIDIA H100 80GB HBM3")->name, "h100-sxm");
  EXPECT_EQ(gpu_sheet("NVIDIA L40S")->name, "l40s") << "which is no L4";
  EXPECT_EQ(described_gpu("an abacus"), nullptr);
  fs::create_directories(folder_ / "cache");
  write("cache/this-gpu.sheet", small_sheet("this-gpu", "NVIDIA H200", "measured\nof h200\n"));
  EXPECT_EQ(gpu_sheet("NVIDIA H200")->name, "this-gpu");
  EXPECT_EQ(described_gpu("NVIDIA H200")->name, "h200");
  EXPECT_EQ(gpu_sheet("NVIDIA B200")->name, "b200") << "measured on another";
  EXPECT_EQ(find_sheet("this-gpu")->of, "h200");
  write("cache/this-gpu.sheet", "no sheet");
  EXPECT_EQ(gpu_sheet("NVIDIA H200")->name, "h200") << "one that cannot be read is left";
}

TEST_F(Sheets, OfAGpuThatNoneDescribesIsThatOfTheH200) {
  std::vector<std::string> warnings;
  auto previous = set_log_callback([&](LogLevel, std::string_view, std::string_view message) {
    warnings.emplace_back(message);
  });
  EXPECT_EQ(gpu_sheet("NVIDIA A30")->name, "h200");
  EXPECT_EQ(gpu_sheet("NVIDIA A30")->name, "h200");
  set_log_callback(previous);
  ASSERT_EQ(warnings.size(), 1u) << "said once";
  EXPECT_TRUE(warnings[0].starts_with(
      "no device sheet has the line `device-name NVIDIA A30`: figures of h200 "))
      << warnings[0];
  write("a30.sheet", small_sheet("a30", "NVIDIA A30 24 GB", "device-name NVIDIA A30\n"));
  EXPECT_EQ(gpu_sheet("NVIDIA A30")->name, "a30");
}

// A cache must not end a compile, nor a question about another device.
TEST_F(Sheets, CalibratedOneThatIsOfNoUseIsNamedOnceAndLeft) {
  std::vector<std::string> warnings;
  const LogCallback before = set_log_callback(
      [&](LogLevel, std::string_view, std::string_view text) { warnings.emplace_back(text); });
  fs::create_directories(folder_ / "cache");
  const auto expect_one_warning = [&](const std::string& reason) {
    warnings.clear();
    EXPECT_EQ(calibrated_sheet(), nullptr);
    EXPECT_EQ(calibrated_sheet(), nullptr);
    EXPECT_EQ(find_sheet("h200")->name, "h200");
    ASSERT_EQ(warnings.size(), 1U);
    for (const std::string& word :
         {calibrated_path(), std::string("ridge devices --calibrate"), reason}) {
      EXPECT_NE(warnings[0].find(word), std::string::npos) << warnings[0];
    }
  };
  write("cache/this-cpu.sheet",
        small_sheet("this-cpu", processor_name(), "measured\nfigure tlb -1 ns source=here\n"));
  expect_one_warning("tlb between");
  write("cache/this-cpu.sheet", small_sheet("this-cpu", "an abacus", "measured\n"));
  expect_one_warning("`an abacus`");
  set_log_callback(before);
}

// A ceiling of matrix units follows from units, clock and work a clock; nothing measured is one.
TEST_F(Sheets, MatrixCeilingsAreDerived) {
  for (const auto& sheet : all_sheets()) {
    if (sheet->kind != SheetKind::gpu || sheet->is_measured) continue;
    for (const auto& [key, figure] : sheet->figures) {
      if (!key.starts_with("matrix.")) continue;
      const auto derives = [&](const Check& check) {
        const auto has = [&](const char* word) {
          return check.formula.find(word) != std::string::npos;
        };
        return check.key == key && (has("clock") || has("GHz") || has("matrix."));
      };
      EXPECT_TRUE(std::ranges::any_of(sheet->checks, derives)) << sheet->name << " " << key;
    }
  }
}

TEST(ProcessorName, IsFitForATitle) {
  EXPECT_EQ(
      processor_name_in("vendor_id\t: x\nmodel name\t: AMD EPYC  \"9654\" #1 \t\nflags : a\n"),
      "AMD EPYC 9654 1");
  EXPECT_EQ(processor_name_in("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"),
            "processor 0x41 part 0xd0c");
  EXPECT_EQ(processor_name_in(""), "processor without a name");
  EXPECT_FALSE(processor_name().empty());
}

TEST(MeasuredVersion, TellsMachinesAndFiguresApart) {
  Sheet sheet = *find_sheet("generic-cpu");
  const std::string version = measured_version(sheet, "2026-11-15");
  EXPECT_TRUE(version.starts_with("2026-11-15 "));
  EXPECT_EQ(measured_version(sheet, "2026-11-15"), version);
  Sheet other = sheet;
  other.figures.at("launch").value *= 1.01;
  EXPECT_NE(measured_version(other, "2026-11-15"), version);
  other = sheet;
  other.title += " 2";
  EXPECT_NE(measured_version(other, "2026-11-15"), version);
  sheet.version = version;
  EXPECT_EQ(parse_sheet(to_text(sheet), "test").version, version);
}

}  // namespace
}  // namespace ridge::cost::sheets_test
