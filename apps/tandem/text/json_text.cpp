#include "text/json_text.h"

#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr std::size_t k_max_depth = 64;

/// Runs through a text and tells how far it has come.
class CountingIterator {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that the standard library looks for
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  CountingIterator(const char* at, const char** farthest) : at_(at), farthest_(farthest) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    if (*farthest_ < at_) *farthest_ = at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  const char** farthest_;
};

/// Is told of each value while the parser reads it, and notes its line.
class LineNoter final : public nlohmann::json_sax<Json> {
 public:
  LineNoter(const std::string& document, std::string_view text)
      : document_(document), counted_(text.data()), read_(text.data()) {}

  const char** read() { return &read_; }
  JsonLines take() { return std::move(root_); }

  bool null() override { return add(0); }
  bool boolean(bool) override { return add(0); }
  // The parser has read one character more than the number.
  bool number_integer(number_integer_t) override { return add(1); }
  bool number_unsigned(number_unsigned_t) override { return add(1); }
  bool number_float(number_float_t, const string_t&) override { return add(1); }
  bool string(string_t&) override { return add(0); }
  bool binary(binary_t&) override { return add(0); }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!names_.back().insert(name).second) {
      fail(line_here(0), "there are two members " + in_quotes(name) + " in one object");
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    // "[...] parse error at line 1, column 2: what is wrong", or "[...] what is wrong".
    std::string_view message = e.what();
    for (const std::string_view before : {"] ", "column ", ": "}) {
      const std::size_t at = message.find(before);
      if (at != message.npos) message.remove_prefix(at + before.size());
    }
    fail(line_here(1), "this is no JSON: " + one_line(message));
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw Error(document_ + ", line " + std::to_string(line) + ": " + what);
  }

  /// The line of the last character that was read, less some.
  std::size_t line_here(std::ptrdiff_t ahead) {
    const char* const here = std::max(counted_, read_ - ahead);
    line_ += static_cast<std::size_t>(std::count(counted_, here, '\n'));
    counted_ = here;
    return line_;
  }

  bool add(std::ptrdiff_t ahead) {
    JsonLines& lines = open_.empty() ? root_ : open_.back()->inner.emplace_back();
    lines.line = line_here(ahead);
    return true;
  }
  bool open() {
    if (open_.size() == k_max_depth) {
      fail(line_here(0), "values are nested more than " + std::to_string(k_max_depth) + " deep");
    }
    add(0);
    // An open value gets no neighbours until it is closed, so it stays where it is.
    open_.push_back(open_.empty() ? &root_ : &open_.back()->inner.back());
    names_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    names_.pop_back();
    return true;
  }

  const std::string& document_;
  const char* counted_;
  const char* read_;
  std::size_t line_ = 1;
  JsonLines root_;
  std::vector<JsonLines*> open_;
  std::vector<std::set<std::string, std::less<>>> names_;
};

}  // namespace

JsonText::JsonText(std::string name, std::string_view text) : name_(std::move(name)) {
  LineNoter noter(name_, text);
  const char** const read = noter.read();
  Json::sax_parse(CountingIterator(text.data(), read),
                  CountingIterator(text.data() + text.size(), read), &noter);
  lines_ = noter.take();
  value_ = Json::parse(text);
}

std::string JsonValue::text(const std::string& what) const {
  if (!value_->is_string()) fail(what + " must be a text in quotes");
  return value_->get<std::string>();
}

bool JsonValue::boolean(const std::string& what) const {
  if (!value_->is_boolean()) fail(what + " must be true or false");
  return value_->get<bool>();
}

double JsonValue::number(const std::string& what) const {
  if (!value_->is_number()) fail(what + " must be a number");
  const auto value = value_->get<double>();
  if (!std::isfinite(value)) fail(what + " is too large");
  return value;
}

std::vector<double> JsonValue::numbers(std::size_t count, const std::string& what) const {
  std::vector<double> result;
  if (value_->is_array() && value_->size() == count) {
    for_each_item(what, [&](const JsonValue& item) { result.push_back(item.number(what)); });
    return result;
  }
  fail(what + " must be a list of " + std::to_string(count) + " numbers");
}

std::optional<JsonValue> JsonValue::find(std::string_view name) const {
  std::size_t position = 0;
  for (const auto& [key, value] : value_->items()) {
    if (key == name) return inner(value, position);
    ++position;
  }
  return std::nullopt;
}

void JsonValue::expect_members(const std::string& what,
                               const std::vector<std::string_view>& known) const {
  for_each_member(what, [&](const std::string& name, const JsonValue& value) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    std::string names;
    for (const std::string_view one : known) names.append(names.empty() ? "" : ", ").append(one);
    value.fail(what + " has no member " + in_quotes(name) + "; it may have " + names);
  });
}

void JsonValue::for_each_member(
    const std::string& what,
    const std::function<void(const std::string& name, const JsonValue& value)>& use) const {
  if (!value_->is_object()) fail(what + " must be an object in braces");
  std::size_t position = 0;
  for (const auto& [name, value] : value_->items()) use(name, inner(value, position++));
}

void JsonValue::for_each_item(const std::string& what,
                              const std::function<void(const JsonValue& item)>& use) const {
  if (!value_->is_array()) fail(what + " must be a list in brackets");
  std::size_t position = 0;
  for (const Json& item : *value_) use(inner(item, position++));
}

void JsonValue::fail(const std::string& message) const {
  throw Error(*document_ + ", line " + std::to_string(lines_->line) + ": " + message);
}

}  // namespace tandem::cli
