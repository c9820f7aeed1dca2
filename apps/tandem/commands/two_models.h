// What commands with two models share.
#pragma once

#include <tandem/model.h>

#include <string>

#include "text/progress_bar.h"

namespace tandem::cli {

/// Builds a model and shows how far it is, under that label.
Model build_model(Mesh mesh, BuildOptions options, const char* label, Reporting reporting);

/// Two lines: where A and B come from, and how many triangles they have.
std::string two_models_text(const std::string& source_a, const Model& a,
                            const std::string& source_b, const Model& b);

/// Three coordinates: "0.5, 1, -2".
std::string coordinates(const Vec3d& point);

}  // namespace tandem::cli
