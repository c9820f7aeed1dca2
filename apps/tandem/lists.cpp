#include "lists.h"

#include <charconv>
#include <cmath>

namespace tandem::cli {

std::vector<std::string> split_list(std::string_view text, std::string_view option) {
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string item(text.substr(start, end - start));
    if (item.empty()) {
      throw Error(std::string(option) + ": an item of the list " + in_quotes(text) + " is empty");
    }
    if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
    start = end + 1;
  }
  return items;
}

std::vector<double> number_list(std::string_view text, std::string_view option) {
  std::vector<double> numbers;
  for (const std::string& item : split_list(text, option)) {
    double number = 0;
    const char* const end = item.data() + item.size();
    const auto [stop, error] = std::from_chars(item.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number) || number < 0) {
      throw Error(std::string(option) + ": " + in_quotes(item) + " is no number of at least 0");
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace tandem::cli
