// Comma-separated lists on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tandem::cli {

/// The items of "one,two", each once. Throws `tandem::Error` that begins with `option` when one is
/// empty.
std::vector<std::string> split_list(std::string_view text, std::string_view option);

/// Finite numbers of at least 0, each once, in the order given. Throws like `split_list`.
std::vector<double> number_list(std::string_view text, std::string_view option);

/// Finite numbers of either sign, repeated ones too, in the order given. Throws like `split_list`.
std::vector<double> coordinate_list(std::string_view text, std::string_view option);

}  // namespace tandem::cli
