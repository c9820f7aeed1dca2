// The buffers of a glTF: the GLB's own, those in data URIs, and those in files beside it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/gltf/document.h"

namespace tandem::detail {

/// Fetches each buffer when it is first used, each file once.
class GltfBuffers {
 public:
  /// The arguments must outlive it.
  GltfBuffers(const Source& source, const GltfDocument& document,
              std::optional<std::string_view> binary);

  /// The bytes of a buffer view. Throws `tandem::Error` when it reaches beyond its buffer, or when
  /// the buffer cannot be had.
  std::string_view view(std::uint32_t index);

  /// The size of the file and of the files fetched so far.
  std::uint64_t bytes_read() const { return source_.options.max_bytes - bytes_left_; }

 private:
  std::string_view buffer(std::uint32_t index);
  std::string_view fetch(std::uint32_t index);
  std::string_view fetch_file(std::uint32_t index, std::string_view uri);

  const Source& source_;
  const GltfDocument& document_;
  std::optional<std::string_view> binary_;
  std::vector<std::optional<std::string_view>> buffers_;
  std::deque<std::string> storage_;
  std::map<std::string, std::string_view, std::less<>> files_;
  std::uint64_t bytes_left_;
};

}  // namespace tandem::detail
