#include "traverse/wide/instruction_sets.h"

#include "traverse/wide/targets.h"
// Highway, with these targets.
#include <hwy/targets.h>

namespace tandem::detail {

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
