// The header of a PLY file: which elements follow, and which properties each has.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mesh/text_scanner.h"

namespace tandem::detail {

enum class PlyEncoding { text, binary_little_endian, binary_big_endian };

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

inline std::size_t byte_count(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::float64:
      return 8;
    default:
      return 4;
  }
}

inline bool is_integer(PlyType type) {
  return type != PlyType::float32 && type != PlyType::float64;
}

/// The names of types: those of the first PLY files, and the later ones that include the size.
inline std::optional<PlyType> ply_type(std::string_view name) {
  if (name == "char" || name == "int8") return PlyType::int8;
  if (name == "uchar" || name == "uint8") return PlyType::uint8;
  if (name == "short" || name == "int16") return PlyType::int16;
  if (name == "ushort" || name == "uint16") return PlyType::uint16;
  if (name == "int" || name == "int32") return PlyType::int32;
  if (name == "uint" || name == "uint32") return PlyType::uint32;
  if (name == "float" || name == "float32") return PlyType::float32;
  if (name == "double" || name == "float64") return PlyType::float64;
  return std::nullopt;
}

struct PlyProperty {
  std::string_view name;
  /// The type of the value, or of each value in the list.
  PlyType type = PlyType::float32;
  /// The type of the number in front of a list; a single value has none.
  std::optional<PlyType> count_type;
};

struct PlyElement {
  std::string_view name;
  std::size_t count = 0;
  std::size_t line = 0;
  std::vector<PlyProperty> properties;

  /// The property's position; the number of properties when there is none of that name.
  std::size_t find(std::string_view property) const {
    std::size_t i = 0;
    while (i < properties.size() && properties[i].name != property) ++i;
    return i;
  }
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::text;
  std::vector<PlyElement> elements;
  /// Where the first element starts, and on which line.
  std::size_t body_offset = 0;
  std::size_t body_line = 0;
};

/// Reads the lines from `ply` to `end_header`.
class PlyHeaderReader {
 public:
  explicit PlyHeaderReader(const Source& source) : source_(source), scanner_(source, k_rules) {}

  PlyHeader read() {
    if (!scanner_.next_line() || scanner_.token() != "ply") {
      source_.fail("this is not a PLY file: it does not start with 'ply'");
    }
    for (;;) {
      if (!scanner_.next_line()) source_.fail("the file ends before 'end_header'");
      const std::string_view keyword = scanner_.token();
      if (keyword == "end_header") break;
      if (keyword == "format") {
        read_format();
      } else if (keyword == "element") {
        read_element();
      } else if (keyword == "property") {
        read_property();
      } else if (keyword != "comment" && keyword != "obj_info") {
        scanner_.fail(quoted(keyword) + " is not a line of a PLY header");
      }
    }
    if (!has_format_) source_.fail("the header does not say the format");
    find_body();
    return header_;
  }

 private:
  static constexpr TextRules k_rules{0, 0};

  void read_format() {
    if (has_format_) scanner_.fail("the format is given twice");
    has_format_ = true;
    const std::string_view format = scanner_.token();
    if (format == "ascii") {
      header_.encoding = PlyEncoding::text;
    } else if (format == "binary_little_endian") {
      header_.encoding = PlyEncoding::binary_little_endian;
    } else if (format == "binary_big_endian") {
      header_.encoding = PlyEncoding::binary_big_endian;
    } else {
      scanner_.fail(quoted(format) + " is not a format of PLY");
    }
    const std::string_view version = scanner_.token();
    if (version != "1.0") {
      scanner_.fail("the version is " + quoted(version) + ", but there is only '1.0'");
    }
  }

  void read_element() {
    PlyElement element;
    element.name = scanner_.token();
    element.line = scanner_.line();
    if (element.name.empty()) scanner_.fail("an element has no name");
    if (element.name == "vertex" || element.name == "face") {
      for (const PlyElement& other : header_.elements) {
        if (other.name == element.name) scanner_.fail(quoted(element.name) + " is declared twice");
      }
    }
    const std::int64_t count = scanner_.integer("the number of elements");
    if (count < 0) scanner_.fail("the number of elements is negative");
    element.count = static_cast<std::size_t>(count);
    header_.elements.push_back(std::move(element));
  }

  /// property TYPE NAME, or property list COUNT_TYPE TYPE NAME
  void read_property() {
    if (header_.elements.empty()) scanner_.fail("a property stands before the first element");
    PlyProperty property;
    std::string_view type = scanner_.token();
    if (type == "list") {
      property.count_type = checked_type(scanner_.token());
      if (!is_integer(*property.count_type)) scanner_.fail("a list's length is no integer type");
      type = scanner_.token();
    }
    property.type = checked_type(type);
    property.name = scanner_.token();
    if (property.name.empty()) scanner_.fail("a property has no name");
    header_.elements.back().properties.push_back(property);
  }

  PlyType checked_type(std::string_view name) const {
    const std::optional<PlyType> type = ply_type(name);
    if (!type) scanner_.fail(quoted(name) + " is not a type of PLY");
    return *type;
  }

  /// The body starts after the line end that follows `end_header`. A binary body may itself start
  /// with a byte that looks like a line end, so the file's first line says how long line ends are.
  void find_body() {
    const std::string_view content = source_.content;
    header_.body_line = scanner_.line();
    header_.body_offset = content.size() - scanner_.bytes_left();
    if (header_.encoding == PlyEncoding::text) {
      if (!scanner_.token().empty()) fail_after_header();
      return;
    }
    const std::size_t first_end = content.find_first_of("\r\n");
    const std::size_t length = content.substr(first_end, 2) == "\r\n" ? 2 : 1;
    const std::string_view rest = content.substr(header_.body_offset);
    if (rest.empty()) source_.fail("the file ends with its header");
    if (!rest.starts_with(content.substr(first_end, length))) fail_after_header();
    header_.body_offset += length;
  }

  [[noreturn]] void fail_after_header() const {
    scanner_.fail("something other than the end of the line follows 'end_header'");
  }

  const Source& source_;
  TextScanner scanner_;
  PlyHeader header_;
  bool has_format_ = false;
};

}  // namespace tandem::detail
