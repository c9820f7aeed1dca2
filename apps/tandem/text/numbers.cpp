#include "text/numbers.h"

#include <tandem/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tandem::cli {

namespace {

template <class T>
std::string shortest_text(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// Columns on a terminal: UTF-8 continuation bytes take none.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return grouped(count).append(" ").append(count == 1 ? singular : plural);
}

std::string duration(double seconds) {
  if (seconds >= 60) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    return grouped(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  }
  const char* unit = seconds < 1e-3 ? "µs" : seconds < 1 ? "ms" : "s";
  const double value = seconds * (seconds < 1e-3 ? 1e6 : seconds < 1 ? 1e3 : 1);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit);
  return text;
}

std::string shortest(double value) {
  return shortest_text(value);
}
std::string shortest(float value) {
  return shortest_text(value);
}

std::string one_line(std::string_view text) {
  constexpr std::size_t k_longest = 1000;
  std::string line(text.substr(0, k_longest));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  if (text.size() > k_longest) line += "...";
  return line;
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
    if (begun && columns(line) + 1 + columns(word) > width) {
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

std::uint64_t whole_number(std::string_view text, std::string_view what) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) {
    throw Error(std::string(what) + " must be a whole number below 2^64, not " + in_quotes(text));
  }
  return number;
}

std::string Table::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string lines;
  for (const auto& row : rows_) {
    lines += indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - columns(row[i]), ' ');
      if (i > 0) lines += "  ";
      lines += i == 0 ? row[i] + padding : padding + row[i];
    }
    lines.erase(lines.find_last_not_of(' ') + 1);
    lines += '\n';
  }
  return lines;
}

std::string counter_title(std::string_view key) {
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace tandem::cli
