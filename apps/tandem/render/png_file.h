// PNG files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace tandem::cli {

/// Throws `tandem::Error` that begins with `option` unless `path` ends in .png and this build of
/// the program writes PNG.
void check_png(const std::filesystem::path& path, std::string_view option);

/// Eight-bit RGB, row by row from the upper left. The file appears when it is complete. Throws
/// `tandem::Error`.
void write_png(const std::filesystem::path& path, int width, int height,
               std::span<const std::uint8_t> rgb);

}  // namespace tandem::cli
