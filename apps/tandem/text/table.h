// Tables of text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tandem::cli {

/// Rows of cells in aligned columns: the first column to the left, the others to the right.
class Table {
 public:
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// All rows, one per line. Each line begins with `indent`.
  std::string text(std::string_view indent) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tandem::cli
