// The path tracer on a CUDA device; not part of builds without CUDA.
#pragma once

#include <tandem/engine.h>
#include <tandem/model.h>
#include <tandem/sink.h>

#include "render/denoise.h"
#include "render/paths/path_scene.h"

namespace tandem::cli {

/// Traces all paths of a scene whose arrays are on the host, and whose triangles are the model's:
/// the radiance and the features of each pixel, as the host finds them, to the bit. Throws
/// `tandem::Error` where there is no device or too little memory.
void trace_on_device(const PathScene& scene, const Model& model, RayTraversal traversal,
                     Vec3d* radiance, PixelFeatures* features, const Progress& progress);

}  // namespace tandem::cli
