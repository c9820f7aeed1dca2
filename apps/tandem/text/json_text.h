// JSON that users wrote: every value knows its line, so that errors can name it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json.h"

namespace tandem::cli {

/// The lines of a value and of the values in it, in their order.
struct JsonLines {
  std::size_t line = 0;
  std::vector<JsonLines> inner;
};

/// A value of a document. Every function throws `tandem::Error` "DOCUMENT, line N: ..." for what is
/// not as asked; `what` says what the value is, as in "the name of an object".
class JsonValue {
 public:
  JsonValue(const std::string& document, const Json& value, const JsonLines& lines)
      : document_(&document), value_(&value), lines_(&lines) {}

  const Json& json() const { return *value_; }
  bool is_text() const { return value_->is_string(); }

  std::string text(const std::string& what) const;
  bool boolean(const std::string& what) const;
  /// JSON has no infinity and no NaN, and what is too large for a double is an error.
  double number(const std::string& what) const;
  /// A list of that many numbers.
  std::vector<double> numbers(std::size_t count, const std::string& what) const;

  /// A member of this object; nothing where it has none of that name.
  std::optional<JsonValue> find(std::string_view name) const;

  /// Checks that it is an object, and one without other members than these.
  void expect_members(const std::string& what, const std::vector<std::string_view>& known) const;

  void for_each_member(
      const std::string& what,
      const std::function<void(const std::string& name, const JsonValue& value)>& use) const;
  void for_each_item(const std::string& what,
                     const std::function<void(const JsonValue& item)>& use) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  JsonValue inner(const Json& value, std::size_t position) const {
    return {*document_, value, lines_->inner[position]};
  }

  const std::string* document_;
  const Json* value_;
  const JsonLines* lines_;
};

/// A document, which outlives its values.
class JsonText {
 public:
  /// `name` stands for the document in messages. Throws `tandem::Error` when the text is no JSON,
  /// when an object has two members of one name, and for values nested more than 64 deep.
  JsonText(std::string name, std::string_view text);

  JsonValue root() const { return {name_, value_, lines_}; }

 private:
  std::string name_;
  Json value_;
  JsonLines lines_;
};

}  // namespace tandem::cli
