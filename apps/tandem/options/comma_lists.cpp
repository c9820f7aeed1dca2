#include "options/comma_lists.h"

#include <tandem/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

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

std::vector<double> numbers_of(const std::vector<std::string>& items, double least,
                               std::string_view option, const char* complaint) {
  std::vector<double> numbers;
  for (const std::string& item : items) {
    double number = 0;
    const char* const end = item.data() + item.size();
    const auto [stop, error] = std::from_chars(item.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number) || number < least) {
      throw Error(std::string(option) + ": " + in_quotes(item) + complaint);
    }
    numbers.push_back(number);
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
  return numbers_of(split_list(text, option), 0, option, " is not a number of at least 0");
}

std::vector<double> coordinate_list(std::string_view text, std::string_view option) {
  return numbers_of(all_items(text, option), std::numeric_limits<double>::lowest(), option,
                    " is not a number");
}

}  // namespace tandem::cli
