// Sizes of pictures on the command line.
#pragma once

#include <string>
#include <string_view>

namespace tandem::cli {

struct PictureSize {
  int width;
  int height;
};

/// WIDTHxHEIGHT, each from 1 to 16,384. Throws `tandem::Error` that begins with `option`.
PictureSize parse_picture_size(const std::string& text, std::string_view option);

}  // namespace tandem::cli
