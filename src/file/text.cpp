#include "file/text.h"

namespace tandem::detail {

namespace {

constexpr std::size_t k_longest_quote = 40;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::string escaped(char c) {
  constexpr char k_digits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', k_digits[byte / 16], k_digits[byte % 16]};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) result += is_control(c) ? escaped(c) : std::string(1, c);
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, k_longest_quote)) {
    result +=
        is_control(c) || static_cast<unsigned char>(c) >= 0x80 ? escaped(c) : std::string(1, c);
  }
  return result + (text.size() > k_longest_quote ? "...'" : "'");
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace tandem::detail
