#include "options/whole_numbers.h"

#include <tandem/error.h>

#include <charconv>

#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

std::uint64_t whole_number(std::string_view text, std::string_view what) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) {
    throw Error(std::string(what) + " must be a whole number below 2^64, not " + in_quotes(text));
  }
  return number;
}

int whole_number_in(std::string_view text, std::string_view option, int least, int most) {
  const std::uint64_t number = whole_number(text, option);
  const auto lowest = static_cast<std::uint64_t>(least);
  const auto highest = static_cast<std::uint64_t>(most);
  if (number < lowest || number > highest) {
    throw Error(std::string(option) + " must be from " + grouped(lowest) + " to " +
                grouped(highest) + ", not " + std::string(text));
  }
  return static_cast<int>(number);
}

}  // namespace tandem::cli
