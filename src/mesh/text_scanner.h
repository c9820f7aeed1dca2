// TextScanner: reads a text file as lines of tokens.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "mesh/number.h"
#include "mesh/readers.h"

namespace tandem::detail {

/// What the characters of a text format mean.
class TextRules {
 public:
  enum Class : unsigned char { word, blank, line_end, comment, continuation };

  /// Blanks separate tokens; '\n', '\r' and "\r\n" end a line. `comment` starts a comment up to the
  /// end of the line, `continuation` before the end of a line joins the next one; 0 means that the
  /// format has none.
  constexpr TextRules(char comment_start, char line_continuation) {
    for (const char c : {' ', '\t', '\v', '\f'}) set(c, blank);
    for (const char c : {'\n', '\r'}) set(c, line_end);
    if (comment_start != 0) set(comment_start, comment);
    if (line_continuation != 0) set(line_continuation, continuation);
  }

  constexpr Class of(char c) const { return classes_[static_cast<unsigned char>(c)]; }

 private:
  constexpr void set(char c, Class value) { classes_[static_cast<unsigned char>(c)] = value; }

  std::array<Class, 256> classes_{};
};

/// Reads a text from beginning to end. It skips blank lines and comments; lines are counted from 1.
class TextScanner {
 public:
  /// Starts before the line at `offset`, which has the number `line`. Source and rules must outlive
  /// the scanner.
  TextScanner(const Source& source, const TextRules& rules, std::size_t offset = 0,
              std::size_t line = 1)
      : source_(source),
        rules_(rules),
        cursor_(source.content.data() + offset),
        end_(source.content.data() + source.content.size()),
        line_(line) {
    constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
    if (offset == 0 && source.content.starts_with(k_byte_order_mark)) {
      cursor_ += k_byte_order_mark.size();
    }
  }

  std::size_t line() const { return line_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - cursor_); }

  /// Moves to the next line that has a token; false at the end of the file.
  bool next_line() {
    if (started_) skip_line();
    started_ = true;
    while (cursor_ != end_) {
      if (skip_blanks()) return true;
      skip_line();
    }
    return false;
  }

  /// The next token of the line; empty when there is none.
  std::string_view token() {
    if (!skip_blanks()) return {};
    const char* const begin = cursor_++;
    while (cursor_ != end_ && rules_.of(*cursor_) == TextRules::word) ++cursor_;
    return {begin, static_cast<std::size_t>(cursor_ - begin)};
  }

  /// The tokens that are left of the line, with one blank between any two.
  std::string rest() {
    std::string words;
    for (std::string_view word = token(); !word.empty(); word = token()) {
      if (!words.empty()) words += ' ';
      words += word;
    }
    return words;
  }

  /// The next token as a coordinate of vertex `vertex`, rounded to the nearest float32.
  float coordinate(std::size_t vertex) {
    const std::string_view text = token();
    const std::optional<float> value = parse_float(text);
    if (value && std::isfinite(*value)) [[likely]]
      return *value;
    fail_coordinate(text, vertex);
  }

  /// The next three tokens as the position of vertex `vertex`.
  Vec3f position(std::size_t vertex) {
    const float x = coordinate(vertex);
    const float y = coordinate(vertex);
    const float z = coordinate(vertex);
    return {x, y, z};
  }

  /// The next token as a whole number; `what` names it in the message, with its article.
  std::int64_t integer(std::string_view what) {
    const std::string_view text = token();
    if (text.empty()) fail("the line ends before " + std::string(what));
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value) fail(quoted(text) + " is not a whole number, but stands for " + std::string(what));
    return *value;
  }

  [[noreturn]] void fail(std::string_view what) const { source_.fail_at_line(line_, what); }

 private:
  [[noreturn]] void fail_coordinate(std::string_view text, std::size_t vertex) const {
    const std::string name = "vertex " + std::to_string(vertex);
    if (text.empty()) fail(name + " has fewer than three coordinates");
    if (!parse_float(text)) fail(name + " has the coordinate " + quoted(text) + ", not a number");
    if (text.find_first_of("nN") != std::string_view::npos) fail(not_finite(vertex));  // nan, inf
    fail(name + " has the coordinate " + quoted(text) + ", which is too large for a float32");
  }

  /// Moves to the next token of the line; false when there is none.
  bool skip_blanks() {
    while (cursor_ != end_) {
      const TextRules::Class here = rules_.of(*cursor_);
      if (here == TextRules::blank) {
        ++cursor_;
      } else if (here != TextRules::continuation || !skip_continuation()) {
        return here == TextRules::word || here == TextRules::continuation;
      }
    }
    return false;
  }

  /// Moves behind the end of the line.
  void skip_line() {
    bool in_comment = false;
    while (cursor_ != end_) {
      const TextRules::Class here = rules_.of(*cursor_);
      if (here == TextRules::line_end) return skip_line_end();
      if (here == TextRules::comment) in_comment = true;
      if (here != TextRules::continuation || in_comment || !skip_continuation()) ++cursor_;
    }
  }

  void skip_line_end() {
    const bool carriage_return = *cursor_++ == '\r';
    if (carriage_return && cursor_ != end_ && *cursor_ == '\n') ++cursor_;
    ++line_;
  }

  /// Moves behind a line end that the continuation character here cancels; false when no line end
  /// follows it.
  bool skip_continuation() {
    if (end_ - cursor_ < 2 || rules_.of(cursor_[1]) != TextRules::line_end) return false;
    ++cursor_;
    skip_line_end();
    return true;
  }

  const Source& source_;
  const TextRules& rules_;
  const char* cursor_;
  const char* const end_;
  std::size_t line_;
  bool started_ = false;
};

}  // namespace tandem::detail
