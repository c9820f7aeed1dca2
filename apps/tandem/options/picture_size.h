// Sizes and numbers of pictures on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::cli {

struct PictureSize {
  int width;
  int height;
};

/// WIDTHxHEIGHT, each from 1 to 16,384. Throws `tandem::Error` that begins with `option`.
PictureSize parse_picture_size(const std::string& text, std::string_view option);

/// A whole number between two others. Throws `tandem::Error` that begins with `option`.
int whole_number_in(const std::string& text, std::string_view option, std::uint64_t least,
                    std::uint64_t most);

}  // namespace tandem::cli
