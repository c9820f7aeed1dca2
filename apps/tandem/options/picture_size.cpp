#include "options/picture_size.h"

#include <tandem/error.h>

#include "options/whole_numbers.h"
#include "text/strings.h"

namespace tandem::cli {

PictureSize parse_picture_size(const std::string& text, std::string_view option) {
  const std::size_t cross = text.find('x');
  if (cross == text.npos) {
    throw Error(std::string(option) + ": " + in_quotes(text) + " is not WIDTHxHEIGHT");
  }
  constexpr int k_most = 16'384;
  const std::string prefix(option);
  return {whole_number_in(text.substr(0, cross), prefix + ": the width", 1, k_most),
          whole_number_in(text.substr(cross + 1), prefix + ": the height", 1, k_most)};
}

}  // namespace tandem::cli
