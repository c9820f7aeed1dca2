#include "measure/findings.h"

#include <algorithm>

#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

// "x 1, 2, y 1" for x 1, x 2 and y 1.
std::string enumeration(const std::vector<std::string>& names) {
  std::string text;
  std::string last_stem;
  for (const std::string& name : names) {
    const std::size_t number = name.find_last_of(' ') + 1;
    const std::string stem = name.substr(0, number);
    const bool numbered = number > 0 && name.find_first_not_of("0123456789", number) == name.npos;
    text += text.empty() ? "" : ", ";
    text += numbered && stem == last_stem ? name.substr(number) : name;
    last_stem = stem;
  }
  return text;
}

}  // namespace

void Range::add(double value) {
  least_ = empty_ ? value : std::min(least_, value);
  most_ = empty_ ? value : std::max(most_, value);
  empty_ = false;
}

std::string Range::text() const {
  if (empty_) return "nothing";
  const std::string least = ratio_text(least_);
  const std::string most = ratio_text(most_);
  return least == most ? least : least + " to " + most;
}

void Tally::add(const std::string& setup, bool held) {
  (held ? held_in_ : exceptions_).push_back(setup);
}

std::string Tally::where(const std::string& thing) const {
  const std::size_t total = held_in_.size() + exceptions_.size();
  if (exceptions_.empty()) {
    return total == 2 ? "in both " + thing + "s"
                      : "in all " + std::to_string(total) + " " + thing + "s";
  }
  if (held_in_.empty()) {
    return total == 2 ? "in neither " + thing
                      : "in none of " + std::to_string(total) + " " + thing + "s";
  }
  return "in " + std::to_string(held_in_.size()) + " of " + std::to_string(total) + " " + thing +
         "s (" +
         (held_in_.size() < exceptions_.size() ? enumeration(held_in_)
                                               : "not in " + enumeration(exceptions_)) +
         ")";
}

std::string Tally::sentence(const std::string& claim) const {
  if (held_in_.size() + exceptions_.size() == 1) {
    return (exceptions_.empty() ? "Held: " : "Did not hold: ") + claim;
  }
  return "Held " + where() + ": " + claim;
}

std::string findings_text(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += wrapped(sentence, 98, "- ", "  ");
  return text;
}

}  // namespace tandem::cli
