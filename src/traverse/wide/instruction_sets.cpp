#include "traverse/wide/instruction_sets.h"

#include "traverse/wide/targets.h"
// Highway, with these targets.
#include <hwy/targets.h>

namespace tandem::detail {

// No processor is left without kernels: the emulated target runs on all of them, and where only one
// target is compiled, that is the processor's own. Single lanes would be too few.
constexpr std::int64_t k_targets = HWY_TARGETS;
static_assert((k_targets & HWY_EMU128) != 0 || (k_targets & (k_targets - 1)) == 0);
static_assert((k_targets & HWY_SCALAR) == 0);

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> result;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    result.push_back({hwy::TargetName(target), target});
  }
  return result;
}

UseInstructionSet::UseInstructionSet(const InstructionSet& set) {
  hwy::SetSupportedTargetsForTest(set.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

UseInstructionSet::~UseInstructionSet() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace tandem::detail
