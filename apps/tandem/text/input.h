// Files that are read as a whole.
#pragma once

#include <cstddef>
#include <string>

namespace tandem::cli {

/// The content of a file. Throws `tandem::Error` that says why it cannot be read, or that it has
/// more bytes than that; the caller names the file.
std::string read_input(const std::string& path, std::size_t max_bytes);

}  // namespace tandem::cli
