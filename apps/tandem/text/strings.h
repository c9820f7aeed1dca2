// Text for messages and paragraphs: on one line, in quotes, wrapped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tandem::cli {

/// `text` on one line, without control characters (they are written as \xNN), and cut when it is
/// long: fit for a message and a terminal. All that users named, files above all, is printed so.
std::string one_line(std::string_view text);

/// `text` in single quotes, on one line.
std::string in_quotes(std::string_view text);

/// `text` broken at blanks into lines of at most `width` columns. The first line begins with
/// `first_indent`, the others with `indent`. Ends with a newline.
std::string wrapped(std::string_view text, std::size_t width, std::string_view first_indent,
                    std::string_view indent);

/// `name` after two blanks, padded to `width` columns, then `text` and a newline: a line of a list
/// of things with descriptions.
std::string list_line(std::string_view name, std::string_view text, std::size_t width);

/// The columns that `text` has on a terminal: the continuation bytes of UTF-8 have none.
std::size_t column_count(std::string_view text);

/// The names of `infos`, separated by commas.
template <class Infos>
std::string names_of(const Infos& infos) {
  std::string names;
  for (const auto& info : infos) names.append(names.empty() ? "" : ", ").append(info.name);
  return names;
}

}  // namespace tandem::cli
