// The picture that a command draws: --picture and what goes with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/command_line.h"
#include "render/collision_picture.h"
#include "text/output.h"

namespace tandem::cli {

/// As the user gives it.
struct PictureChoice {
  std::optional<std::string> file;
  std::optional<std::string> size;
  std::optional<std::string> samples;
};

/// `what` is what --picture draws; the defaults are told.
void add_picture_choice(CLI::App& app, PictureChoice& choice, const std::string& what,
                        const CollisionPicture& defaults);

/// The picture that is wanted. Throws `tandem::Error` for a file that is no PNG, values that make
/// no sense, and a size without a picture.
CollisionPicture picture_of(const PictureChoice& choice, const CollisionPicture& defaults);

/// Adds its file, if there is one, to those that are written.
void add_picture_file(const PictureChoice& choice, std::vector<NamedFile>& outputs);

}  // namespace tandem::cli
