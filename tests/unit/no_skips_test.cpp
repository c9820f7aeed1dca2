// Two tests that are skipped: ctest expects the first to fail, the second not to.
#include <gtest/gtest.h>

TEST(NoSkips, AnySkippedTestFails) {
  GTEST_SKIP() << "something is not there";
}

TEST(NoSkips, RealMeshesMayBeMissing) {
  GTEST_SKIP() << "there is no " << TANDEM_SHARED_DATA << "/meshes";
}
