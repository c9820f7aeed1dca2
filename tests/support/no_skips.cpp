// Part of every test where the packages of the tests are required: there a skipped test fails,
// unless it misses the real meshes, which do not come with the sources.
#include <gtest/gtest.h>

#include <cstring>

namespace {

class NoSkips : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    may_be_skipped_ = std::strstr(result.message(), TANDEM_SHARED_DATA) != nullptr;
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Skipped() && !may_be_skipped_) {
      ADD_FAILURE() << "tests must not be skipped where their packages are required";
    }
  }

  bool may_be_skipped_ = false;
};

[[maybe_unused]] const bool k_installed = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new NoSkips);  // which owns it
  return true;
}();

}  // namespace
