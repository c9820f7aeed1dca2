// Accessors: numbers in buffers, found, checked, and read one element after the other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "mesh/gltf/buffers.h"
#include "mesh/gltf/document.h"

namespace tandem::detail {

/// The types of numbers, with the file's names for them.
enum class GltfComponent : std::uint16_t {
  int8 = 5120,
  uint8 = 5121,
  int16 = 5122,
  uint16 = 5123,
  uint32 = 5125,
  float32 = 5126,
};

std::size_t size_of(GltfComponent type);

/// Where an accessor's elements are. `make_elements` has made sure that all of them are there.
struct GltfElements {
  GltfComponent type = GltfComponent::float32;
  bool normalized = false;
  std::uint64_t count = 0;
  /// Null when all elements are zero.
  const char* bytes = nullptr;
  std::uint64_t stride = 0;
  /// Elements that replace others, and which: in ascending order, closely packed.
  std::uint64_t sparse_count = 0;
  GltfComponent sparse_type = GltfComponent::uint32;
  const char* sparse_indices = nullptr;
  const char* sparse_values = nullptr;
};

/// What an accessor is used for.
enum class GltfPurpose { positions, indices };

/// Finds the elements and checks all that the specification asks of such an accessor, except the
/// values. `place` stands in front of messages about what uses it. Throws `tandem::Error`.
GltfElements make_elements(const Source& source, const GltfDocument& document, GltfBuffers& buffers,
                           std::uint32_t accessor, GltfPurpose purpose, const std::string& place);

/// Reads elements of `size` numbers in their order.
template <int size>
class GltfCursor {
 public:
  explicit GltfCursor(const GltfElements& elements) : elements_(elements) { find_sparse(); }

  /// Call it at most as often as there are elements.
  std::array<double, size> next();

 private:
  void find_sparse();

  const GltfElements& elements_;
  std::uint64_t position_ = 0;
  std::uint64_t sparse_position_ = 0;
  /// The next element that is replaced; the number of elements when there is none left.
  std::uint64_t next_sparse_ = 0;
};

extern template class GltfCursor<1>;
extern template class GltfCursor<3>;

}  // namespace tandem::detail
