// PLY, the Polygon File Format: the positions of its vertices and the corners of its faces. All
// else is ignored.
#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/byte_reader.h"
#include "mesh/ply_header.h"

namespace tandem::detail {

namespace {

constexpr TextRules k_rules(0, 0);

/// The values of a text body: one line for each item of an element.
class TextValues {
 public:
  TextValues(const Source& source, const PlyHeader& header)
      : scanner_(source, k_rules, header.body_offset, header.body_line) {}

  std::size_t bytes_left() const { return scanner_.bytes_left(); }

  bool begin_item() { return scanner_.next_line(); }

  void end_item() {
    if (!scanner_.token().empty()) scanner_.fail("the line has more values than the header says");
  }

  float coordinate(PlyType, std::size_t vertex) { return scanner_.coordinate(vertex); }

  std::int64_t integer(PlyType, std::string_view what) { return scanner_.integer(what); }

  void skip(PlyType) {
    if (scanner_.token().empty()) scanner_.fail("the line has fewer values than the header says");
  }

  [[noreturn]] void fail(std::string_view what) const { scanner_.fail(what); }

  void finish() {
    if (scanner_.next_line()) scanner_.fail("the file goes on after its last element");
  }

 private:
  TextScanner scanner_;
};

/// The values of a binary body, without gaps.
class BinaryValues {
 public:
  BinaryValues(const Source& source, const PlyHeader& header)
      : source_(source),
        reader_(source, header.body_offset,
                header.encoding == PlyEncoding::binary_big_endian ? std::endian::big
                                                                  : std::endian::little) {}

  std::size_t bytes_left() const { return reader_.bytes_left(); }

  bool begin_item() {
    item_start_ = reader_.position();
    return reader_.bytes_left() > 0;
  }

  void end_item() {}

  float coordinate(PlyType type, std::size_t vertex) {
    const float value = read_as<float>(type);
    if (!std::isfinite(value)) fail(not_finite(vertex));
    return value;
  }

  std::int64_t integer(PlyType type, std::string_view) { return read_as<std::int64_t>(type); }

  void skip(PlyType type) { reader_.skip(byte_count(type)); }

  [[noreturn]] void fail(std::string_view what) const { source_.fail_at_byte(item_start_, what); }

  /// Line ends and blanks may follow the last element; anything else means that the header's counts
  /// are wrong.
  void finish() {
    const std::size_t position = reader_.position();
    if (source_.content.find_first_not_of(" \t\r\n", position) != std::string_view::npos) {
      source_.fail_at_byte(position, "the file goes on after its last element");
    }
  }

 private:
  template <class T>
  T read_as(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return static_cast<T>(reader_.read<std::int8_t>());
      case PlyType::uint8:
        return static_cast<T>(reader_.read<std::uint8_t>());
      case PlyType::int16:
        return static_cast<T>(reader_.read<std::int16_t>());
      case PlyType::uint16:
        return static_cast<T>(reader_.read<std::uint16_t>());
      case PlyType::int32:
        return static_cast<T>(reader_.read<std::int32_t>());
      case PlyType::uint32:
        return static_cast<T>(reader_.read<std::uint32_t>());
      case PlyType::float32:
        return static_cast<T>(reader_.read<float>());
      case PlyType::float64:
        return static_cast<T>(reader_.read<double>());
    }
    return T{};
  }

  const Source& source_;
  ByteReader reader_;
  std::size_t item_start_ = 0;
};

/// Reads the elements in the header's order; `Values` knows the encoding.
template <class Values>
class PlyBodyReader {
 public:
  PlyBodyReader(const Source& source, const PlyHeader& header)
      : source_(source), header_(header), values_(source, header), builder_(source) {}

  Mesh read() {
    const auto vertices = std::ranges::find(header_.elements, "vertex", &PlyElement::name);
    if (vertices == header_.elements.end()) source_.fail("the header declares no vertices");
    vertex_count_ = vertices->count;
    for (const PlyElement& element : header_.elements) {
      if (element.name == "vertex") {
        read_vertices(element);
      } else if (element.name == "face") {
        read_faces(element);
      } else if (element.name == "tristrips" && element.count > 0) {
        source_.fail_at_line(element.line, "triangle strips are not read; store faces instead");
      } else {
        skip_element(element);
      }
    }
    values_.finish();
    return builder_.finish();
  }

 private:
  void read_vertices(const PlyElement& element) {
    check_promise(source_, element.line, element.count, "vertices");
    const std::array<std::size_t, 3> axes{element.find("x"), element.find("y"), element.find("z")};
    for (const std::size_t axis : axes) {
      if (axis == element.properties.size() || element.properties[axis].count_type) {
        source_.fail_at_line(element.line, "the vertices have no x, y and z");
      }
    }
    // A vertex has at least three bytes, a face at least one.
    builder_.reserve(element.count, 0, values_.bytes_left() / 3);
    for (std::size_t vertex = 0; vertex < element.count; ++vertex) {
      begin_item(element, vertex);
      std::array<float, 3> position{};
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        const std::size_t axis = i == axes[0] ? 0 : i == axes[1] ? 1 : i == axes[2] ? 2 : 3;
        if (axis < 3) {
          position[axis] = values_.coordinate(property.type, vertex);
        } else {
          skip_property(property);
        }
      }
      values_.end_item();
      builder_.add_vertex({position[0], position[1], position[2]});
    }
  }

  void read_faces(const PlyElement& element) {
    check_promise(source_, element.line, element.count, "faces");
    if (element.count == 0) return;
    std::size_t corners = element.find("vertex_indices");
    if (corners == element.properties.size()) corners = element.find("vertex_index");
    if (corners == element.properties.size() || !element.properties[corners].count_type ||
        !is_integer(element.properties[corners].type)) {
      source_.fail_at_line(element.line, "the faces have no list of integers vertex_indices");
    }
    builder_.reserve(0, element.count, values_.bytes_left());
    for (std::size_t face = 0; face < element.count; ++face) {
      begin_item(element, face);
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        if (i == corners) {
          read_corners(element.properties[i], face);
        } else {
          skip_property(element.properties[i]);
        }
      }
      values_.end_item();
      builder_.add_face(corners_);
    }
  }

  void read_corners(const PlyProperty& property, std::size_t face) {
    const std::size_t corner_count = read_list_length(property);
    if (corner_count < 3) values_.fail(too_few_corners(face, corner_count));
    corners_.clear();
    for (std::size_t i = 0; i < corner_count; ++i) {
      const std::int64_t vertex = values_.integer(property.type, "a corner of a face");
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertex_count_) {
        values_.fail(vertex_out_of_range(face, vertex, vertex_count_));
      }
      corners_.push_back(static_cast<std::uint32_t>(vertex));
    }
  }

  void skip_element(const PlyElement& element) {
    // Items without properties have no bytes, however many the header announces.
    if (element.properties.empty()) return;
    for (std::size_t item = 0; item < element.count; ++item) {
      begin_item(element, item);
      for (const PlyProperty& property : element.properties) skip_property(property);
      values_.end_item();
    }
  }

  void skip_property(const PlyProperty& property) {
    if (!property.count_type) return values_.skip(property.type);
    const std::size_t length = read_list_length(property);
    for (std::size_t i = 0; i < length; ++i) values_.skip(property.type);
  }

  std::size_t read_list_length(const PlyProperty& property) {
    const std::int64_t length = values_.integer(*property.count_type, "the length of a list");
    if (length < 0) values_.fail("a list has a negative length");
    return static_cast<std::size_t>(length);
  }

  void begin_item(const PlyElement& element, std::size_t item) {
    if (values_.begin_item()) return;
    source_.fail("the file ends after " + std::to_string(item) + " of " +
                 std::to_string(element.count) + " items of the element " + quoted(element.name));
  }

  const Source& source_;
  const PlyHeader& header_;
  Values values_;
  MeshBuilder builder_;
  std::size_t vertex_count_ = 0;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

Mesh read_ply(const Source& source) {
  const PlyHeader header = PlyHeaderReader(source).read();
  if (header.encoding == PlyEncoding::text) {
    return PlyBodyReader<TextValues>(source, header).read();
  }
  return PlyBodyReader<BinaryValues>(source, header).read();
}

}  // namespace tandem::detail
