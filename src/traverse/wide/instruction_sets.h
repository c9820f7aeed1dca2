// The instruction sets that the wide traversals run with: for tests and benchmarks, which go
// through all of them. Queries always use the best one.
#pragma once

#include <cstdint>
#include <vector>

namespace tandem::detail {

/// An instruction set that the kernels were compiled for.
struct InstructionSet {
  const char* name;
  /// Highway's number for it.
  std::int64_t target;
};

/// Those that this machine can run, the best first.
std::vector<InstructionSet> instruction_sets();

/// As long as it lives, all queries of the process run with this instruction set, if they start
/// when no other one is running.
class UseInstructionSet {
 public:
  explicit UseInstructionSet(const InstructionSet& set);
  ~UseInstructionSet();
  UseInstructionSet(const UseInstructionSet&) = delete;
  UseInstructionSet& operator=(const UseInstructionSet&) = delete;
};

}  // namespace tandem::detail
