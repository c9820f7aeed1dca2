#include "options/comma_lists.h"

#include <tandem/error.h>

#include <algorithm>

#include "options/real_number.h"
#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

// The items of a list, repeated ones too.
std::vector<std::string> all_items(std::string_view text, std::string_view option) {
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string item(text.substr(start, end - start));
    if (item.empty()) {
      throw Error(std::string(option) + ": an item of the list " + in_quotes(text) + " is empty");
    }
    items.push_back(item);
    start = end + 1;
  }
  return items;
}

std::vector<double> numbers_of(const std::vector<std::string>& items, std::string_view option) {
  std::vector<double> numbers;
  for (const std::string& item : items) {
    const RealNumber number = parse_real(item);
    if (number.fault != nullptr) {
      throw Error(std::string(option) + ": " + in_quotes(item) + " " + number.fault);
    }
    numbers.push_back(number.value);
  }
  return numbers;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text, std::string_view option) {
  std::vector<std::string> items;
  for (const std::string& item : all_items(text, option)) {
    if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
  }
  return items;
}

std::vector<double> number_list(std::string_view text, std::string_view option) {
  std::vector<double> numbers = numbers_of(split_list(text, option), option);
  for (const double number : numbers) {
    if (number < 0) {
      throw Error(std::string(option) + ": " + shortest(number) + " is not a number of at least 0");
    }
  }
  return numbers;
}

std::vector<double> coordinate_list(std::string_view text, std::string_view option) {
  return numbers_of(all_items(text, option), option);
}

}  // namespace tandem::cli
