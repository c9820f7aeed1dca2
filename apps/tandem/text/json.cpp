#include "text/json.h"

#include "text/output.h"

namespace tandem::cli {

namespace {

// The library escapes the control characters of ASCII but the last, and none beyond it. All are
// within strings, as nothing else in JSON is.
std::string text_of(const Json& object) {
  const std::string dumped = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  constexpr char k_digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(dumped.size());
  for (std::size_t i = 0; i < dumped.size(); ++i) {
    const bool two_bytes = dumped[i] == '\xc2' && static_cast<unsigned char>(dumped[i + 1]) < 0xa0;
    if (!two_bytes && dumped[i] != 0x7f) {
      text += dumped[i];
      continue;
    }
    const auto code = static_cast<unsigned char>(dumped[two_bytes ? ++i : i]);
    text += {'\\', 'u', '0', '0', k_digits[code / 16], k_digits[code % 16]};
  }
  return text;
}

}  // namespace

void print_json(const Json& object) {
  print(text_of(object));
}

void write_json(const std::string& file, const Json& object) {
  file == "-" ? print_json(object) : write_file(file, text_of(object));
}

}  // namespace tandem::cli
