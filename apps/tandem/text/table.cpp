#include "text/table.h"

#include <algorithm>

#include "text/strings.h"

namespace tandem::cli {

std::string Table::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], column_count(row[i]));
    }
  }
  std::string lines;
  for (const auto& row : rows_) {
    lines += indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - column_count(row[i]), ' ');
      if (i > 0) lines += "  ";
      lines += i == 0 ? row[i] + padding : padding + row[i];
    }
    lines.erase(lines.find_last_not_of(' ') + 1);
    lines += '\n';
  }
  return lines;
}

}  // namespace tandem::cli
