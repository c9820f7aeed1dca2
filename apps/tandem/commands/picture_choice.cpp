#include "commands/picture_choice.h"

#include <tandem/error.h>

#include "options/picture_size.h"
#include "options/whole_numbers.h"
#include "render/png_file.h"

namespace tandem::cli {

void add_picture_choice(CLI::App& app, PictureChoice& choice, const std::string& what,
                        const CollisionPicture& defaults) {
  add_value(app, "--picture", choice.file, "FILE.png", what);
  add_value(app, "--picture-size", choice.size, "WxH",
            "its pixels (default " + std::to_string(defaults.size.width) + "x" +
                std::to_string(defaults.size.height) + ")");
  add_value(app, "--picture-samples", choice.samples, "N",
            "paths of light through each pixel (default " + std::to_string(defaults.samples) +
                (defaults.samples < 16 ? "); 32 look better" : ")"));
}

CollisionPicture picture_of(const PictureChoice& choice, const CollisionPicture& defaults) {
  if (choice.file) check_png(*choice.file, "--picture");
  if (!choice.file && (choice.size || choice.samples)) {
    throw Error("--picture-size and --picture-samples go with --picture");
  }
  CollisionPicture picture = defaults;
  if (choice.size) picture.size = parse_picture_size(*choice.size, "--picture-size");
  if (choice.samples) {
    picture.samples = whole_number_in(*choice.samples, "--picture-samples", 1, 1'000'000);
  }
  return picture;
}

void add_picture_file(const PictureChoice& choice, std::vector<NamedFile>& outputs) {
  if (choice.file) outputs.push_back({"--picture", *choice.file});
}

}  // namespace tandem::cli
