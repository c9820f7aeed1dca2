// Wavefront OBJ: the statements `v` and `f`, and `o` and `g` where parts are asked for; all others
// are ignored.
#include <algorithm>
#include <limits>

#include "mesh/text_scanner.h"

namespace tandem::detail {

namespace {

constexpr TextRules k_rules('#', '\\');

/// Statements that have nothing to do with triangles; others are not expected in a file without
/// vertices and faces.
constexpr std::string_view k_known_statements[] = {"vt", "vn", "vp", "g",      "o",
                                                   "s",  "l",  "p",  "usemtl", "mtllib"};

bool is_known(std::string_view keyword) {
  return std::ranges::find(k_known_statements, keyword) != std::end(k_known_statements);
}

/// Any program may add statements of its own, but they start with a word.
bool is_word(std::string_view keyword) {
  return std::ranges::all_of(keyword, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

class ObjReader {
 public:
  /// A face that uses a vertex from `vertex_limit` on is an error.
  ObjReader(const Source& source, std::size_t vertex_limit, PartList* parts)
      : source_(source),
        scanner_(source, k_rules),
        builder_(source),
        vertex_limit_(vertex_limit),
        parts_(parts) {}

  void read() {
    std::string_view unknown;
    std::size_t unknown_line = 0;
    while (scanner_.next_line()) {
      const std::string_view keyword = scanner_.token();
      if (keyword == "v") {
        // A weight or a colour may follow; both are ignored.
        builder_.add_vertex(scanner_.position(builder_.vertex_count()));
      } else if (keyword == "f") {
        read_face();
      } else if (parts_ != nullptr && (keyword == "o" || keyword == "g")) {
        begin_part(keyword);
      } else if (!is_word(keyword)) {
        scanner_.fail(quoted(keyword) + " is not an OBJ statement");
      } else if (unknown.empty() && !is_known(keyword)) {
        unknown = keyword;
        unknown_line = scanner_.line();
      }
    }
    // No statement is one of OBJ's: it is some other kind of text.
    if (builder_.vertex_count() == 0 && face_count_ == 0 && !unknown.empty()) {
      source_.fail_at_line(unknown_line, quoted(unknown) + " is not an OBJ statement");
    }
  }

  std::size_t vertex_count() const { return builder_.vertex_count(); }
  std::size_t used_vertex_count() const { return used_vertex_count_; }
  Mesh finish() { return builder_.finish(); }

 private:
  /// `o NAME` begins an object, which is in no group yet; `g NAME...` begins a group of it.
  void begin_part(std::string_view keyword) {
    if (keyword == "o") {
      object_ = scanner_.rest();
      group_.clear();
    } else {
      group_ = scanner_.rest();
    }
    const std::size_t name_size = part_name().size();
    if (name_size > k_longest_part_name) scanner_.fail(name_too_long(name_size));
    part_has_begun_ = true;
  }

  std::string part_name() const {
    return object_.empty() || group_.empty() ? object_ + group_ : object_ + "/" + group_;
  }

  /// f corner corner corner ..., where a corner is v, v/t, v//n or v/t/n
  void read_face() {
    corners_.clear();
    for (std::string_view text = scanner_.token(); !text.empty(); text = scanner_.token()) {
      corners_.push_back(read_corner(text));
    }
    if (corners_.size() < 3) scanner_.fail(too_few_corners(face_count_, corners_.size()));
    // Groups are often named where no face follows, and are no part then.
    if (part_has_begun_) parts_->resume(part_name(), builder_.triangle_count());
    part_has_begun_ = false;
    builder_.add_face(corners_);
    ++face_count_;
  }

  std::uint32_t read_corner(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::optional<std::int64_t> number = parse_integer(text.substr(0, slash));
    const bool tail_is_clean =
        text.find_first_not_of("0123456789/-", slash) == std::string_view::npos;
    if (!number || !tail_is_clean) scanner_.fail(quoted(text) + " is not a corner of a face");
    return resolve(*number);
  }

  /// Vertices are counted from 1, or backwards from the last one read so far.
  std::uint32_t resolve(std::int64_t number) {
    const std::size_t vertices_so_far = builder_.vertex_count();
    if (number == 0) scanner_.fail("a face uses vertex 0, but OBJ counts vertices from 1");
    if (number < 0) {
      const std::uint64_t back = -static_cast<std::uint64_t>(number);
      if (back > vertices_so_far) {
        scanner_.fail("a face counts back " + std::to_string(back) + " vertices, but only " +
                      std::to_string(vertices_so_far) + " came before it");
      }
      number = static_cast<std::int64_t>(vertices_so_far - back + 1);
    }
    const auto index = static_cast<std::uint64_t>(number) - 1;
    if (index >= vertex_limit_) {
      scanner_.fail("a face uses vertex " + std::to_string(number) + ", but the file has only " +
                    std::to_string(vertex_limit_));
    }
    used_vertex_count_ = std::max<std::size_t>(used_vertex_count_, index + 1);
    return static_cast<std::uint32_t>(index);
  }

  const Source& source_;
  TextScanner scanner_;
  MeshBuilder builder_;
  std::size_t vertex_limit_;
  std::size_t used_vertex_count_ = 0;
  std::size_t face_count_ = 0;
  std::vector<std::uint32_t> corners_;
  PartList* parts_;
  std::string object_;
  std::string group_;
  bool part_has_begun_ = false;
};

}  // namespace

Mesh read_obj(const Source& source, PartList* parts) {
  ObjReader reader(source, std::numeric_limits<std::size_t>::max(), parts);
  reader.read();
  // A face may come before its vertices, so only now is it known which indices are too large. A
  // second pass finds the line of the first such index.
  if (reader.used_vertex_count() > reader.vertex_count()) {
    ObjReader(source, reader.vertex_count(), nullptr).read();
  }
  return reader.finish();
}

}  // namespace tandem::detail
