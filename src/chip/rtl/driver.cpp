#include "chip/rtl/driver.h"

#include <array>
#include <bit>

namespace tandem::chip {
namespace {

constexpr std::uint32_t k_unit_bytes = 128;

/// A line of the correspondence register file.
std::uint32_t correspondence_line(const std::array<std::uint32_t, 3>& from, std::uint32_t to,
                                  std::uint32_t matrix_line) {
  return from[0] | from[1] << 5 | from[2] << 10 | to << 15 | matrix_line << 20;
}

class Writes {
 public:
  void add(Register at, std::uint32_t value, std::uint32_t offset = 0) {
    writes_.push_back({static_cast<std::uint32_t>(at) + offset, value});
  }

  void add_matrix_line(std::uint32_t line, const MatrixLine& content) {
    for (std::uint32_t column = 0; column < 3; ++column) {
      add(Register::matrix, std::bit_cast<std::uint32_t>(content.coefficient[column]),
          4 * line + column);
    }
    add(Register::matrix, std::bit_cast<std::uint32_t>(content.offset), 4 * line + 3);
  }

  /// The rows of three corners, from d_from and to d_to, by three lines of the matrix.
  void add_corners(std::uint32_t line, std::uint32_t from, std::uint32_t to,
                   std::uint32_t matrix_line) {
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t at = from + 3 * corner;
      for (std::uint32_t row = 0; row < 3; ++row) {
        add(Register::correspondence,
            correspondence_line({at, at + 1, at + 2}, to + 3 * corner + row, matrix_line + row),
            line + 3 * corner + row);
      }
    }
  }

  /// The pairs of numbers that the triangle unit reads for each edge from P to Q.
  void add_edges(std::uint32_t line) {
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
      const std::uint32_t p = 3 * edge;
      const std::uint32_t q = 3 * ((edge + 1) % 3);
      const std::array<std::array<std::uint32_t, 2>, 5> pairs = {
          {{p + 2, q + 2}, {p, q + 2}, {q, p + 2}, {p + 1, q + 2}, {q + 1, p + 2}}};
      for (const auto& [first, second] : pairs) {
        add(Register::correspondence, correspondence_line({first, second, 0}, 0, 0), line++);
      }
    }
  }

  std::vector<RegisterWrite> take() { return std::move(writes_); }

 private:
  std::vector<RegisterWrite> writes_;
};

}  // namespace

std::vector<RegisterWrite> register_writes(const Config& config, const RegisterContents& contents,
                                           const MemoryLayout& layout) {
  Writes writes;
  for (std::uint32_t row = 0; row < 24; ++row) writes.add_matrix_line(row, contents.dop_lines[row]);
  for (std::uint32_t from = 0; from < 2; ++from) {
    for (std::uint32_t row = 0; row < 3; ++row) {
      writes.add_matrix_line(24 + 3 * from + row, contents.rigid_lines[from][row]);
    }
  }
  for (std::uint32_t position = 0; position < 24; ++position) {
    const std::uint32_t row = contents.row_order[position];
    const Correspondence& from = contents.correspondences[row];
    writes.add(Register::correspondence, correspondence_line({from[0], from[1], from[2]}, row, row),
               position);
  }
  writes.add_corners(24, 0, 9, 24);
  writes.add_corners(33, 0, 9, 27);
  writes.add_corners(42, 9, 0, 30);
  writes.add_edges(51);

  const auto unit = [](std::uint64_t address) {
    return static_cast<std::uint32_t>(address / k_unit_bytes);
  };
  writes.add(Register::fill, static_cast<std::uint32_t>(contents.fill_cycles));
  writes.add(Register::root_a, 0);
  writes.add(Register::root_b, 0);
  writes.add(Register::nodes_a, unit(layout.node_address(0, 0)));
  writes.add(Register::nodes_b, unit(layout.node_address(1, 0)));
  writes.add(Register::triangles_a, unit(layout.triangle_address(0, 0)));
  writes.add(Register::triangles_b, unit(layout.triangle_address(1, 0)));
  writes.add(Register::stack_words, static_cast<std::uint32_t>(config.stack_words));
  writes.add(Register::control, config.compare_leaves ? 3 : 1);
  return writes.take();
}

std::vector<std::uint32_t> memory_words(const MemoryLayout& layout, const ObjectImage& a,
                                        const ObjectImage& b) {
  std::vector<std::uint32_t> words(layout.bytes() / 4);
  const ObjectImage* const objects[] = {&a, &b};
  for (int object = 0; object < 2; ++object) {
    const ObjectImage& image = *objects[object];
    for (std::uint32_t place = 0; place < image.nodes.size(); ++place) {
      const NodeRecord& node = image.nodes[place];
      std::uint32_t* const at = &words[layout.node_address(object, place) / 4];
      for (std::size_t i = 0; i < 24; ++i) at[i] = std::bit_cast<std::uint32_t>(node.bounds[i]);
      at[24] = node.link;
      at[25] = static_cast<std::uint32_t>(node.kind);
    }
    for (std::uint32_t id = 0; id < image.triangles.size(); ++id) {
      const TriangleRecord& triangle = image.triangles[id];
      std::uint32_t* at = &words[layout.triangle_address(object, id) / 4];
      for (const auto& line : triangle.matrix) {
        for (const float number : line) *at++ = std::bit_cast<std::uint32_t>(number);
      }
      for (const auto& corner : triangle.corner) {
        for (const float number : corner) *at++ = std::bit_cast<std::uint32_t>(number);
      }
    }
  }
  return words;
}

}  // namespace tandem::chip
