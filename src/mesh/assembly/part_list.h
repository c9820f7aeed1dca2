// PartList: which triangles of a file belong to which of its parts, as a reader finds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tandem::detail {

/// A part's name may have this many bytes. It may be repeated for every part of a file, so that
/// without a limit few bytes could fill the memory.
inline constexpr std::size_t k_longest_part_name = 1000;

/// "the name of a part has 1001 bytes, but at most 1000 are read"
inline std::string name_too_long(std::size_t size) {
  return "the name of a part has " + std::to_string(size) + " bytes, but at most " +
         std::to_string(k_longest_part_name) + " are read";
}

/// Parts are numbered in the order in which they are named. Part 0 is that of triangles before any
/// other part begins, and of those that the file gives no name.
class PartList {
 public:
  /// From this triangle on, up to the next run, triangles belong to that part.
  struct Run {
    std::size_t first_triangle;
    std::uint32_t part;
  };

  /// From that triangle on they belong to the part of that name, which may have begun before.
  void resume(const std::string& name, std::size_t first_triangle) {
    const auto [known, is_new] =
        by_name_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    runs_.push_back({first_triangle, known->second});
  }

  /// From that triangle on they belong to a part of their own, whatever its name.
  void begin(std::string name, std::size_t first_triangle) {
    runs_.push_back({first_triangle, static_cast<std::uint32_t>(names_.size())});
    names_.push_back(std::move(name));
  }

  /// As in the file, so that they may repeat and be empty.
  const std::vector<std::string>& names() const { return names_; }
  /// In the order of their triangles; they may be empty.
  const std::vector<Run>& runs() const { return runs_; }

 private:
  std::vector<std::string> names_{""};
  std::map<std::string, std::uint32_t> by_name_{{"", 0}};
  std::vector<Run> runs_{{0, 0}};
};

}  // namespace tandem::detail
