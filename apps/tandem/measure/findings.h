// Findings: sentences that say how often something held in measurements, and in which range.
#pragma once

#include <string>
#include <vector>

namespace tandem::cli {

/// The range of some values.
class Range {
 public:
  void add(double value);

  /// "0.93 to 1.05".
  std::string text() const;

 private:
  bool empty_ = true;
  double least_ = 0;
  double most_ = 0;
};

/// In which setups something held.
class Tally {
 public:
  void add(const std::string& setup, bool held);

  /// "in 15 of 17 setups (not in x 1, 3, y 2)". Names the setups where it held or those where it
  /// did not, whichever are fewer. `thing` is the word for a setup.
  std::string where(const std::string& thing = "setup") const;

  /// "Held in all 17 setups: " and the claim, or "Held: " and the claim for a single setup.
  std::string sentence(const std::string& claim) const;

 private:
  std::vector<std::string> held_in_;
  std::vector<std::string> exceptions_;
};

/// The sentences as a list with dashes.
std::string findings_text(const std::vector<std::string>& sentences);

}  // namespace tandem::cli
