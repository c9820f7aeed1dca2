#include "chip/rtl/driver.h"

#include <bit>
#include <utility>

#include "chip/register_files.h"

namespace tandem::chip {
namespace {

constexpr std::uint32_t k_unit_bytes = 128;

// Lines of the matrix register file.
constexpr std::uint32_t k_rigid_lines = 24;
constexpr std::uint32_t k_leaf_lines = 30;

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

  /// The next line of the correspondence register file.
  void add_correspondence(const CorrespondenceLine& line, std::uint32_t matrix_line) {
    add(Register::correspondence,
        line.from[0] | std::uint32_t{line.from[1]} << 5 | std::uint32_t{line.from[2]} << 10 |
            std::uint32_t{line.to} << 15 | matrix_line << 20,
        correspondences_++);
  }

  std::vector<RegisterWrite> take() { return std::move(writes_); }

 private:
  std::vector<RegisterWrite> writes_;
  std::uint32_t correspondences_ = 0;
};

}  // namespace

std::vector<RegisterWrite> register_writes(const Config& config, const RegisterContents& contents,
                                           const MemoryLayout& layout) {
  Writes writes;
  for (std::uint32_t row = 0; row < 24; ++row) writes.add_matrix_line(row, contents.dop_lines[row]);
  for (std::uint32_t from = 0; from < 2; ++from) {
    for (std::uint32_t row = 0; row < 3; ++row) {
      writes.add_matrix_line(k_rigid_lines + 3 * from + row, contents.rigid_lines[from][row]);
    }
  }
  const CorrespondenceFile correspondences(contents);
  for (const CorrespondenceLine& line : correspondences.dop_rows()) {
    writes.add_correspondence(line, line.to);
  }
  for (const CornerTransform transform :
       {CornerTransform::a_to_b, CornerTransform::b_to_a, CornerTransform::leaf}) {
    const std::uint32_t first = transform == CornerTransform::leaf
                                    ? k_leaf_lines
                                    : k_rigid_lines + 3 * static_cast<std::uint32_t>(transform);
    std::uint32_t row = 0;
    for (const CorrespondenceLine& line : correspondences.corner_rows(transform)) {
      writes.add_correspondence(line, first + row++ % 3);
    }
  }
  for (std::size_t edge = 0; edge < 3; ++edge) {
    for (const CorrespondenceLine& line : correspondences.edge_pairs(edge)) {
      writes.add_correspondence(line, 0);
    }
  }

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
