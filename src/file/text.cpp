#include "file/text.h"

#include <optional>

namespace tandem::detail {

namespace {

constexpr std::size_t k_longest_quote = 40;

bool is_control(char32_t c) {
  const bool c0 = c < 0x20 || c == 0x7f;
  const bool c1 = c >= 0x80 && c <= 0x9f;
  // Line and paragraph separators, and marks that change the direction in which text is shown.
  const bool layout = c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) ||
                      (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c;
  return c0 || c1 || layout;
}

std::string escaped(std::string_view bytes) {
  constexpr char k_digits[] = "0123456789abcdef";
  std::string result;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    result += {'\\', 'x', k_digits[byte / 16], k_digits[byte % 16]};
  }
  return result;
}

/// A character of UTF-8 and its length in bytes.
struct Character {
  char32_t code = 0;
  std::size_t size = 0;
};

/// The first character of a text; nothing where the bytes are no UTF-8: cut off, longer than they
/// need be, half of a surrogate pair, or beyond Unicode.
std::optional<Character> first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return Character{lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead >= 0xf8 || text.size() < size) return std::nullopt;
  char32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t k_least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < k_least[size] || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    return std::nullopt;
  }
  return Character{code, size};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::optional<Character> character = first_character(text);
    const std::string_view bytes = text.substr(0, character ? character->size : 1);
    const bool plain = character && !is_control(character->code);
    result += plain ? std::string(bytes) : escaped(bytes);
    text.remove_prefix(bytes.size());
  }
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char& c : text.substr(0, k_longest_quote)) {
    const auto code = static_cast<unsigned char>(c);
    result += is_control(code) || code >= 0x80 ? escaped({&c, 1}) : std::string(1, c);
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
