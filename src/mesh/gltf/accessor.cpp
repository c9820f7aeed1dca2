#include "mesh/gltf/accessor.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "mesh/byte_reader.h"

namespace tandem::detail {

namespace {

/// The number at `bytes`, as it is.
double component(const char* bytes, GltfComponent type) {
  constexpr std::endian k_order = std::endian::little;
  switch (type) {
    case GltfComponent::int8:
      return load<std::int8_t>(bytes, k_order);
    case GltfComponent::uint8:
      return load<std::uint8_t>(bytes, k_order);
    case GltfComponent::int16:
      return load<std::int16_t>(bytes, k_order);
    case GltfComponent::uint16:
      return load<std::uint16_t>(bytes, k_order);
    case GltfComponent::uint32:
      return load<std::uint32_t>(bytes, k_order);
    case GltfComponent::float32:
      break;
  }
  return load<float>(bytes, k_order);
}

/// What a normalized integer stands for: the largest one for 1, the two smallest ones for -1.
double normalized_value(double number, GltfComponent type) {
  switch (type) {
    case GltfComponent::int8:
      return std::max(number / 127, -1.0);
    case GltfComponent::uint8:
      return number / 255;
    case GltfComponent::int16:
      return std::max(number / 32767, -1.0);
    case GltfComponent::uint16:
      return number / 65535;
    case GltfComponent::uint32:
    case GltfComponent::float32:
      break;
  }
  return number;
}

/// Checks one accessor.
class Check {
 public:
  Check(const Source& source, const GltfDocument& document, GltfBuffers& buffers,
        std::uint32_t index, GltfPurpose purpose)
      : source_(source),
        document_(document),
        buffers_(buffers),
        accessor_(document.accessors[index]),
        index_(index),
        purpose_(purpose) {}

  GltfElements elements() {
    find_type();
    result_.count = accessor_.count;
    if (result_.count == 0) fail("it has no elements");
    if (accessor_.view != k_no_index) {
      find_values();
    } else if (result_.count > source_.content.size()) {
      // Zeros take no space in the file, so that its size has to be the bound.
      fail("it promises " + std::to_string(result_.count) + " zeros, more than the file has bytes");
    }
    if (accessor_.sparse) find_sparse(*accessor_.sparse);
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    source_.fail("accessor " + std::to_string(index_) + ": " + what);
  }

  bool is_positions() const { return purpose_ == GltfPurpose::positions; }

  std::uint64_t element_size() const { return (is_positions() ? 3 : 1) * size_of(result_.type); }

  /// The type of a list of vertices.
  std::optional<GltfComponent> index_type(std::uint64_t type) const {
    for (const auto known : {GltfComponent::uint8, GltfComponent::uint16, GltfComponent::uint32}) {
      if (static_cast<std::uint64_t>(known) == type) return known;
    }
    return std::nullopt;
  }

  std::optional<GltfComponent> position_type(std::uint64_t type) const {
    for (const auto known : {GltfComponent::int8, GltfComponent::uint8, GltfComponent::int16,
                             GltfComponent::uint16, GltfComponent::float32}) {
      if (static_cast<std::uint64_t>(known) == type) return known;
    }
    return std::nullopt;
  }

  void find_type() {
    const std::string_view wanted = is_positions() ? "VEC3" : "SCALAR";
    const std::string_view use = is_positions() ? "positions" : "indices";
    if (const std::string_view given = accessor_.type; given != wanted) {
      fail("it is used for " + std::string(use) + ", but of the type " + quoted(given) +
           " instead of " + quoted(wanted));
    }
    const std::optional<GltfComponent> type = is_positions()
                                                  ? position_type(accessor_.component_type)
                                                  : index_type(accessor_.component_type);
    if (!type) {
      fail("the component type " + std::to_string(accessor_.component_type) +
           " cannot be used for " + std::string(use));
    }
    result_.type = *type;
    result_.normalized = accessor_.normalized;
    const bool is_float = *type == GltfComponent::float32;
    if (is_positions() && !is_float && !document_.quantized) {
      fail(
          "positions of integers need the extension 'KHR_mesh_quantization', which the file does "
          "not name");
    }
    if (accessor_.normalized && (is_float || !is_positions())) {
      fail("these numbers cannot be normalized");
    }
  }

  /// `count` elements of `size` bytes in a view from an offset on, `stride` bytes apart.
  const char* find_bytes(std::uint32_t view, std::uint64_t offset, std::uint64_t count,
                         std::uint64_t size, std::uint64_t stride) {
    const std::string_view bytes = buffers_.view(view);
    // Offsets and counts are at most 2^53 and strides 252: nothing overflows.
    const std::uint64_t end = offset + (count - 1) * stride + size;
    if (end > bytes.size()) {
      fail("it ends at byte " + std::to_string(end) + " of a buffer view that has only " +
           std::to_string(bytes.size()));
    }
    return bytes.data() + offset;
  }

  /// Numbers stand at multiples of their size, the elements of vertices at multiples of four.
  void check_alignment(std::uint32_t view, std::uint64_t offset, std::uint64_t alignment) const {
    const std::uint64_t view_offset = document_.views[view].byte_offset;
    if (offset % alignment != 0 || (view_offset + offset) % alignment != 0) {
      fail("it starts at byte " + std::to_string(offset) + " of a buffer view at byte " +
           std::to_string(view_offset) + ", which is not aligned to " + std::to_string(alignment));
    }
  }

  void check_no_stride(std::uint32_t view) const {
    if (document_.views[view].byte_stride) {
      fail("it is in a buffer view with a 'byteStride', which only vertices have");
    }
  }

  std::uint64_t find_stride(const GltfView& view) const {
    const std::uint64_t stride = view.byte_stride.value_or(element_size());
    if (stride < element_size() || stride % 4 != 0 || stride > 252) {
      fail("its elements of " + std::to_string(element_size()) + " bytes are " +
           std::to_string(stride) +
           " bytes apart, but at most 252 and multiples of four are legal");
    }
    return stride;
  }

  void find_values() {
    const std::uint32_t view = accessor_.view;
    buffers_.view(view);  // makes sure that there is one
    if (is_positions()) {
      result_.stride = find_stride(document_.views[view]);
      check_alignment(view, accessor_.byte_offset, 4);
    } else {
      check_no_stride(view);
      result_.stride = element_size();
      check_alignment(view, accessor_.byte_offset, size_of(result_.type));
    }
    result_.bytes =
        find_bytes(view, accessor_.byte_offset, result_.count, element_size(), result_.stride);
  }

  void find_sparse(const GltfSparse& sparse) {
    if (sparse.count == 0 || sparse.count > accessor_.count) {
      fail("it replaces " + std::to_string(sparse.count) + " of its " +
           std::to_string(accessor_.count) + " elements");
    }
    const std::optional<GltfComponent> type = index_type(sparse.indices_type);
    if (!type) {
      fail("the component type " + std::to_string(sparse.indices_type) +
           " cannot be used for indices");
    }
    result_.sparse_count = sparse.count;
    result_.sparse_type = *type;
    const std::uint64_t index_size = size_of(*type);
    result_.sparse_indices = find_packed(sparse.indices_view, sparse.indices_offset, sparse.count,
                                         index_size, index_size);
    result_.sparse_values = find_packed(sparse.values_view, sparse.values_offset, sparse.count,
                                        element_size(), size_of(result_.type));
    check_order();
  }

  const char* find_packed(std::uint32_t view, std::uint64_t offset, std::uint64_t count,
                          std::uint64_t size, std::uint64_t alignment) {
    const char* const bytes = find_bytes(view, offset, count, size, size);
    check_no_stride(view);
    check_alignment(view, offset, alignment);
    return bytes;
  }

  /// The elements that are replaced exist and come in ascending order.
  void check_order() const {
    double last = -1;
    for (std::uint64_t i = 0; i < result_.sparse_count; ++i) {
      const double index =
          component(result_.sparse_indices + i * size_of(result_.sparse_type), result_.sparse_type);
      if (index <= last || index >= static_cast<double>(result_.count)) {
        fail("the elements that it replaces are not in ascending order below " +
             std::to_string(result_.count));
      }
      last = index;
    }
  }

  const Source& source_;
  const GltfDocument& document_;
  GltfBuffers& buffers_;
  const GltfAccessor& accessor_;
  std::uint32_t index_;
  GltfPurpose purpose_;
  GltfElements result_;
};

}  // namespace

std::size_t size_of(GltfComponent type) {
  switch (type) {
    case GltfComponent::int8:
    case GltfComponent::uint8:
      return 1;
    case GltfComponent::int16:
    case GltfComponent::uint16:
      return 2;
    case GltfComponent::uint32:
    case GltfComponent::float32:
      break;
  }
  return 4;
}

GltfElements make_elements(const Source& source, const GltfDocument& document, GltfBuffers& buffers,
                           std::uint32_t accessor, GltfPurpose purpose, const std::string& place) {
  if (accessor >= document.accessors.size()) {
    source.fail(place + ": it uses accessor " + std::to_string(accessor) + ", but there are only " +
                std::to_string(document.accessors.size()));
  }
  return Check(source, document, buffers, accessor, purpose).elements();
}

template <int size>
std::array<double, size> GltfCursor<size>::next() {
  const std::size_t component_size = size_of(elements_.type);
  const char* bytes =
      elements_.bytes == nullptr ? nullptr : elements_.bytes + position_ * elements_.stride;
  if (position_ == next_sparse_) {
    bytes = elements_.sparse_values + sparse_position_ * size * component_size;
    ++sparse_position_;
    find_sparse();
  }
  ++position_;
  std::array<double, size> values{};
  if (bytes == nullptr) return values;
  for (int i = 0; i < size; ++i) {
    values[i] = component(bytes + i * component_size, elements_.type);
    if (elements_.normalized) values[i] = normalized_value(values[i], elements_.type);
  }
  return values;
}

template <int size>
void GltfCursor<size>::find_sparse() {
  next_sparse_ = elements_.count;
  if (sparse_position_ == elements_.sparse_count) return;
  const char* const bytes =
      elements_.sparse_indices + sparse_position_ * size_of(elements_.sparse_type);
  next_sparse_ = static_cast<std::uint64_t>(component(bytes, elements_.sparse_type));
}

template class GltfCursor<1>;
template class GltfCursor<3>;

}  // namespace tandem::detail
