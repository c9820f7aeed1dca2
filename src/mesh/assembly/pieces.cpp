#include "mesh/assembly/pieces.h"

#include <limits>
#include <utility>

namespace tandem::detail {

namespace {

/// The vertices of one piece after another: which they are, and their numbers in the piece.
class VertexNumbers {
 public:
  explicit VertexNumbers(const Mesh& mesh)
      : mesh_(mesh), piece_of_(mesh.vertex_count(), k_none), number_of_(mesh.vertex_count()) {}

  void begin_piece() { ++piece_; }

  /// The vertex's number in the piece; appends it to `vertices` when it is new there.
  std::uint32_t number(std::uint32_t vertex, std::vector<Vec3f>& vertices) {
    if (piece_of_[vertex] != piece_) {
      piece_of_[vertex] = piece_;
      number_of_[vertex] = static_cast<std::uint32_t>(vertices.size());
      vertices.push_back(mesh_.vertices()[vertex]);
    }
    return number_of_[vertex];
  }

 private:
  static constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

  const Mesh& mesh_;
  /// The last piece that used the vertex.
  std::vector<std::uint32_t> piece_of_;
  std::vector<std::uint32_t> number_of_;
  std::uint32_t piece_ = k_none;
};

}  // namespace

std::vector<Piece> divide(const Mesh& mesh, std::span<const std::uint32_t> piece_of,
                          std::uint32_t piece_count) {
  std::vector<std::uint32_t> triangle_counts(piece_count);
  for (const std::uint32_t piece : piece_of) ++triangle_counts[piece];
  std::vector<Piece> pieces(piece_count);
  for (std::uint32_t i = 0; i < piece_count; ++i) {
    pieces[i].triangle_ids.reserve(triangle_counts[i]);
  }
  for (std::uint32_t triangle = 0; triangle < piece_of.size(); ++triangle) {
    pieces[piece_of[triangle]].triangle_ids.push_back(triangle);
  }

  VertexNumbers numbers(mesh);
  for (Piece& piece : pieces) {
    numbers.begin_piece();
    std::vector<Vec3f> vertices;
    std::vector<TriangleIndices> triangles;
    triangles.reserve(piece.triangle_ids.size());
    for (const std::uint32_t id : piece.triangle_ids) {
      TriangleIndices corners = mesh.triangles()[id];
      for (std::uint32_t& corner : corners) corner = numbers.number(corner, vertices);
      triangles.push_back(corners);
    }
    vertices.shrink_to_fit();
    piece.mesh = Mesh(std::move(vertices), std::move(triangles));
  }
  return pieces;
}

std::uint64_t add_mesh(Piece piece, Assembly& assembly) {
  std::vector<std::uint32_t>& ids = piece.triangle_ids;
  // Ids that follow each other need not be kept.
  std::uint64_t first_triangle = 0;
  if (!ids.empty() && ids.back() - ids.front() == ids.size() - 1) {
    first_triangle = ids.front();
    ids = {};
  }
  assembly.meshes.push_back(std::move(piece.mesh));
  assembly.triangle_ids.push_back(std::move(ids));
  return first_triangle;
}

}  // namespace tandem::detail
