// STL, text and binary. Triangles do not share vertices, so each has three of its own. Normals and
// attributes are ignored, and names where no parts are asked for.
#include <algorithm>
#include <array>
#include <utility>

#include "mesh/byte_reader.h"
#include "mesh/text_scanner.h"

namespace tandem::detail {

namespace {

constexpr TextRules k_rules(0, 0);
constexpr std::size_t k_header_bytes = 80;
constexpr std::size_t k_first_triangle = k_header_bytes + 4;
constexpr std::size_t k_triangle_bytes = 50;

/// solid NAME / facet normal i j k / outer loop / vertex x y z (three times) / endloop / endfacet /
/// endsolid NAME. One statement per line, in upper or lower case; several solids are one mesh.
class TextStlReader {
 public:
  TextStlReader(const Source& source, PartList* parts)
      : source_(source), scanner_(source, k_rules), builder_(source), parts_(parts) {}

  Mesh read() {
    while (scanner_.next_line()) {
      expect(lower_case(scanner_.token()), "solid");
      if (parts_ != nullptr) begin_part();
      read_solid();
    }
    return builder_.finish();
  }

 private:
  void begin_part() {
    std::string name = scanner_.rest();
    if (name.size() > k_longest_part_name) scanner_.fail(name_too_long(name.size()));
    parts_->begin(std::move(name), builder_.triangle_count());
  }

  void read_solid() {
    for (;;) {
      const std::string keyword = next_keyword();
      if (keyword == "endsolid") return;
      expect(keyword, "facet");
      read_facet();
    }
  }

  void read_facet() {
    expect(next_keyword(), "outer");
    const auto first = static_cast<std::uint32_t>(builder_.vertex_count());
    for (int corner = 0; corner < 3; ++corner) {
      expect(next_keyword(), "vertex");
      builder_.add_vertex(scanner_.position(builder_.vertex_count()));
    }
    expect(next_keyword(), "endloop");
    expect(next_keyword(), "endfacet");
    builder_.add_face(std::array{first, first + 1, first + 2});
  }

  std::string next_keyword() {
    if (!scanner_.next_line()) source_.fail("the file ends before 'endsolid'");
    return lower_case(scanner_.token());
  }

  void expect(std::string_view found, std::string_view keyword) const {
    if (found == keyword) return;
    scanner_.fail(quoted(found) + " stands where '" + std::string(keyword) + "' was expected");
  }

  const Source& source_;
  TextScanner scanner_;
  MeshBuilder builder_;
  PartList* parts_;
};

/// 80 bytes of anything, the number of triangles, then for each a normal, three vertices and two
/// attribute bytes, all little-endian.
Mesh read_binary_stl(const Source& source, std::size_t triangle_count) {
  ByteReader reader(source, k_first_triangle, std::endian::little);
  MeshBuilder builder(source);
  builder.reserve(3 * triangle_count, triangle_count, source.content.size());
  for (std::size_t triangle = 0; triangle < triangle_count; ++triangle) {
    reader.skip(12);
    const auto first = static_cast<std::uint32_t>(builder.vertex_count());
    for (int corner = 0; corner < 3; ++corner) {
      const std::size_t place = reader.position();
      const float x = reader.read<float>();
      const float y = reader.read<float>();
      const float z = reader.read<float>();
      const Vec3f position(x, y, z);
      if (!is_finite(position)) {
        source.fail_at_byte(place, not_finite(builder.vertex_count()));
      }
      builder.add_vertex(position);
    }
    reader.skip(2);
    builder.add_face(std::array{first, first + 1, first + 2});
  }
  return builder.finish();
}

/// Text starts with "solid" and has no zero byte where a binary file has its header; the count in a
/// binary header has one unless there are millions of triangles.
bool looks_like_text(std::string_view content) {
  const std::size_t begin = std::min(content.find_first_not_of(" \t\r\n"), content.size());
  return lower_case(content.substr(begin, 5)) == "solid" &&
         content.substr(0, k_first_triangle).find('\0') == std::string_view::npos;
}

}  // namespace

Mesh read_stl(const Source& source, PartList* parts) {
  // Binary headers may start with "solid" too, so the size decides first.
  const std::size_t size = source.content.size();
  if (size >= k_first_triangle) {
    const std::size_t count =
        ByteReader(source, k_header_bytes, std::endian::little).read<std::uint32_t>();
    const std::size_t expected_size = k_first_triangle + k_triangle_bytes * count;
    if (size == expected_size) return read_binary_stl(source, count);
    if (!looks_like_text(source.content)) {
      source.fail_at_byte(k_header_bytes, "the header promises " +
                                              counted(count, "triangle", "triangles") + " in " +
                                              std::to_string(expected_size) +
                                              " bytes, but the file has " + std::to_string(size));
    }
  }
  if (!looks_like_text(source.content)) {
    source.fail(
        "this is neither a text STL, which starts with 'solid', nor a binary one, which has "
        "at least 84 bytes");
  }
  return TextStlReader(source, parts).read();
}

}  // namespace tandem::detail
