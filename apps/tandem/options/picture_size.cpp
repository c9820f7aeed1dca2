#include "options/picture_size.h"

#include <tandem/error.h>

#include "text/numbers.h"

namespace tandem::cli {

int whole_number_in(const std::string& text, std::string_view option, std::uint64_t least,
                    std::uint64_t most) {
  const std::uint64_t number = whole_number(text, option);
  if (number < least || number > most) {
    throw Error(std::string(option) + " must be from " + grouped(least) + " to " + grouped(most) +
                ", not " + text);
  }
  return static_cast<int>(number);
}

PictureSize parse_picture_size(const std::string& text, std::string_view option) {
  const std::size_t cross = text.find('x');
  if (cross == text.npos) {
    throw Error(std::string(option) + ": " + in_quotes(text) + " is not WIDTHxHEIGHT");
  }
  constexpr std::uint64_t k_most = 16'384;
  const std::string prefix(option);
  return {whole_number_in(text.substr(0, cross), prefix + ": the width", 1, k_most),
          whole_number_in(text.substr(cross + 1), prefix + ": the height", 1, k_most)};
}

}  // namespace tandem::cli
