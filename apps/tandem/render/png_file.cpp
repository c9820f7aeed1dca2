#include "render/png_file.h"

#include <tandem/error.h>

#include <string>

#ifdef TANDEM_HAS_PNG
#include <png.h>
#endif

#include "text/output.h"
#include "text/strings.h"

namespace tandem::cli {

#ifdef TANDEM_HAS_PNG

void write_png(const std::filesystem::path& path, int width, int height,
               std::span<const std::uint8_t> rgb) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0) {
    throw Error(path.string() + ": the picture cannot be encoded: " + image.message);
  }
  write_file(path, std::string_view(bytes).substr(0, size));
}

void check_png(const std::filesystem::path& path, std::string_view option) {
  if (file_ending(path) != ".png") {
    throw Error(std::string(option) + ": " + in_quotes(path.string()) + " must end in .png");
  }
}

#else

void write_png(const std::filesystem::path& path, int, int, std::span<const std::uint8_t>) {
  check_png(path, "PNG");
}

void check_png(const std::filesystem::path&, std::string_view option) {
  throw Error(std::string(option) +
              ": this build of the program writes no PNG, as libpng was not found");
}

#endif

}  // namespace tandem::cli
