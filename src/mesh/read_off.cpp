// OFF, the Object File Format of Geomview: counts, vertices, faces. Colours, normals and texture
// coordinates are ignored.
#include <algorithm>

#include "mesh/text_scanner.h"

namespace tandem::detail {

namespace {

constexpr TextRules k_rules('#', 0);

class OffReader {
 public:
  explicit OffReader(const Source& source)
      : source_(source), scanner_(source, k_rules), builder_(source) {}

  Mesh read() {
    read_header();
    // Each vertex and face has at least a few bytes.
    builder_.reserve(vertex_count_, face_count_, scanner_.bytes_left() / 2);
    for (std::size_t i = 0; i < vertex_count_; ++i) {
      if (!scanner_.next_line()) fail_at_end(i, vertex_count_, "vertices");
      // Colours, normals or texture coordinates may follow, as the header's letters say; they are
      // ignored.
      builder_.add_vertex(scanner_.position(i));
    }
    for (std::size_t i = 0; i < face_count_; ++i) {
      if (!scanner_.next_line()) fail_at_end(i, face_count_, "faces");
      read_face(i);
    }
    if (scanner_.next_line()) scanner_.fail("the file goes on after its last face");
    return builder_.finish();
  }

 private:
  /// [ST][C][N]OFF, then the counts of vertices, faces and (often missing) edges on the same line
  /// or the next. Some files have no blank between OFF and the first count.
  void read_header() {
    if (!scanner_.next_line()) source_.fail("there is no OFF header");
    const std::string_view keyword = scanner_.token();
    const std::size_t off = std::min(keyword.find("OFF"), keyword.size());
    const std::string_view prefix = keyword.substr(0, off);
    const std::string_view suffix = keyword.substr(std::min(off + 3, keyword.size()));
    const bool known_prefix = prefix.find_first_not_of("STCN4n") == std::string_view::npos;
    const bool known_suffix = suffix.find_first_not_of("0123456789") == std::string_view::npos;
    if (off == keyword.size() || !known_prefix || !known_suffix) {
      scanner_.fail("the file starts with " + quoted(keyword) + " where OFF was expected");
    }
    if (prefix.find_first_of("4n") != std::string_view::npos) {
      scanner_.fail("only three-dimensional OFF files are read, not " + quoted(keyword));
    }

    std::string_view first = suffix.empty() ? scanner_.token() : suffix;
    if (first == "BINARY") scanner_.fail("binary OFF files are not read");
    if (first.empty()) {
      if (!scanner_.next_line()) source_.fail("the file ends before the number of vertices");
      first = scanner_.token();
    }
    vertex_count_ = check_count(parse_integer(first), first, "vertices");
    const std::string_view second = scanner_.token();
    face_count_ = check_count(parse_integer(second), second, "faces");
  }

  std::size_t check_count(std::optional<std::int64_t> count, std::string_view text,
                          std::string_view what) {
    if (text.empty()) scanner_.fail("the number of " + std::string(what) + " is missing");
    if (!count || *count < 0) {
      scanner_.fail(quoted(text) + " is not a number of " + std::string(what));
    }
    check_promise(source_, scanner_.line(), static_cast<std::size_t>(*count), what);
    return static_cast<std::size_t>(*count);
  }

  /// n v1 v2 ... vn [colour]
  void read_face(std::size_t face) {
    const std::int64_t corner_count = scanner_.integer("the number of corners");
    if (corner_count < 0) scanner_.fail("a face has a negative number of corners");
    if (corner_count < 3) {
      scanner_.fail(too_few_corners(face, static_cast<std::size_t>(corner_count)));
    }
    corners_.clear();
    for (std::int64_t i = 0; i < corner_count; ++i) {
      const std::int64_t vertex = scanner_.integer("a corner of a face");
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertex_count_) {
        scanner_.fail(vertex_out_of_range(face, vertex, vertex_count_));
      }
      corners_.push_back(static_cast<std::uint32_t>(vertex));
    }
    builder_.add_face(corners_);
  }

  [[noreturn]] void fail_at_end(std::size_t count, std::size_t promised, const char* what) const {
    source_.fail("the file ends after " + std::to_string(count) + " of " +
                 std::to_string(promised) + " " + what);
  }

  const Source& source_;
  TextScanner scanner_;
  MeshBuilder builder_;
  std::size_t vertex_count_ = 0;
  std::size_t face_count_ = 0;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

Mesh read_off(const Source& source) {
  return OffReader(source).read();
}

}  // namespace tandem::detail
