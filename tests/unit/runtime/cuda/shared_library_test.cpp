#include "ridge/runtime/cuda/shared_library.h"

#include <gtest/gtest.h>

namespace ridge::runtime::cuda::shared_library_test {
namespace {

struct MathApi : EntryTable {
  Entry<double(double)> cosine{*this, "cos"};
};

struct AbsentApi : EntryTable {
  Entry<double(double)> cosine{*this, "cos"};
  Entry<void()> absent{*this, "ridge_has_no_such_function"};
};

TEST(SharedLibrary, FindsWhatIsThere) {
  MathApi api;
  EXPECT_EQ(api.load({.names = {"libridge-absent.so.1", "libm.so.6"}}), "");
  EXPECT_EQ(api.path(), "libm.so.6");
  EXPECT_TRUE(api.cosine.is_loaded());
  EXPECT_EQ(api.cosine(0.0), 1.0);
}

TEST(SharedLibrary, SaysWhichLibraryIsMissingAndWhatToInstall) {
  MathApi api;
  const std::string problem = api.load({.names = {"libridge-absent.so.2", "libridge-absent.so.1"},
                                        .folders = {"/usr/local/ridge-absent"},
                                        .remedy = "install the absent one"});
  EXPECT_NE(problem.find("no libridge-absent.so.2 or libridge-absent.so.1"), std::string::npos)
      << problem;
  EXPECT_NE(problem.find("install the absent one"), std::string::npos) << problem;
  EXPECT_FALSE(api.cosine.is_loaded());
}

TEST(SharedLibrary, SaysWhichFunctionIsMissing) {
  AbsentApi api;
  const std::string problem = api.load({.names = {"libm.so.6"}, .remedy = "install a newer one"});
  EXPECT_EQ(problem,
            "libm.so.6 has no ridge_has_no_such_function, it is too old or another library; "
            "install a newer one");
}

}  // namespace
}  // namespace ridge::runtime::cuda::shared_library_test
