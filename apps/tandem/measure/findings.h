// How often something held in measurements, and between which bounds: the words of findings.
#pragma once

#include <string>
#include <vector>

namespace tandem::cli {

/// The span of some ratios.
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

  /// "in 15 of 17 setups (not in x 1, 3, y 2)": those where it held or those where it did not are
  /// named, whichever are fewer. `thing` is what to call one of them.
  std::string where(const std::string& thing = "setup") const;

  /// "Held in all 17 setups: " and the claim; "Held: " for a single one.
  std::string sentence(const std::string& claim) const;

 private:
  std::vector<std::string> held_in_;
  std::vector<std::string> exceptions_;
};

/// A ratio with two places, fewer where it is large.
std::string ratio_text(double value);

}  // namespace tandem::cli
