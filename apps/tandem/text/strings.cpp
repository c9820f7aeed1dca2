#include "text/strings.h"

#include <algorithm>

#include "file/text.h"

namespace tandem::cli {

std::string one_line(std::string_view text) {
  constexpr std::size_t k_longest = 1000;
  if (text.size() <= k_longest) return detail::printable(text);
  // Not within a character.
  std::size_t end = k_longest;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
  return detail::printable(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) {
  return std::string("'").append(one_line(text)).append("'");
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view first_indent,
                    std::string_view indent) {
  std::string lines;
  std::string line(first_indent);
  bool begun = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (begun && column_count(line) + 1 + column_count(word) > width) {
      lines += line + "\n";
      line = indent;
      begun = false;
    }
    if (begun) line += ' ';
    line += word;
    begun = true;
    start = end + 1;
  }
  return lines + line + "\n";
}

std::string list_line(std::string_view name, std::string_view text, std::size_t width) {
  std::string line = "  " + std::string(name);
  line.resize(std::max(line.size() + 2, width), ' ');
  return line.append(text).append("\n");
}

std::size_t column_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace tandem::cli
