#include <tandem/error.h>
#include <tandem/model.h>

#include <algorithm>
#include <array>
#include <string>

#include "build/builders.h"
#include "query/hierarchy.h"

namespace tandem {
namespace {

constexpr std::array k_builders = {
    BuilderInfo{Builder::automatic, "automatic", "best for wide, sah for all other volumes"},
    BuilderInfo{Builder::median, "median",
                "halves each set of triangles along the longest side of its box"},
    BuilderInfo{Builder::sah, "sah", "splits where the surface area heuristic costs least"},
    BuilderInfo{Builder::volume, "volume",
                "splits so that the parts take the least volume as restricted boxes"},
    BuilderInfo{Builder::volume_longest, "volume-longest", "the same along the longest side alone"},
    BuilderInfo{Builder::volume_random, "volume-random",
                "the same with the triangles in a random order"},
    BuilderInfo{Builder::volume_ahead, "volume-ahead", "the same looking one level ahead"},
    BuilderInfo{Builder::best, "best",
                "for wide: bisects along the axis of least cost; fastest queries"},
    BuilderInfo{Builder::fast, "fast",
                "for wide: sorts along a space-filling curve; fastest builds"},
};

detail::TreeShape build_binary(const Mesh& mesh, const BuildOptions& options) {
  switch (options.builder) {
    case Builder::median:
      return detail::MedianBuilder::build(mesh, options.progress);
    case Builder::volume:
      return detail::VolumeBuilder::build(mesh, options.progress);
    case Builder::volume_longest:
      return detail::VolumeLongestBuilder::build(mesh, options.progress);
    case Builder::volume_random:
      return detail::VolumeRandomBuilder::build(mesh, options.progress);
    case Builder::volume_ahead:
      return detail::VolumeAheadBuilder::build(mesh, options.progress);
    default:
      return detail::SahBuilder::build(mesh, options.progress);
  }
}

detail::WideTree build_wide(const Mesh& mesh, const BuildOptions& options) {
  return options.builder == Builder::fast ? detail::build_wide_fast(mesh, options.progress)
                                          : detail::build_wide_best(mesh, options.progress);
}

/// Which volume an option is for.
std::string_view name_of(Volume volume) {
  for (const VolumeInfo& info : volumes()) {
    if (info.volume == volume) return info.name;
  }
  throw Error("there is no volume with the number " + std::to_string(static_cast<int>(volume)));
}
std::string_view name_of(Builder builder) {
  for (const BuilderInfo& info : k_builders) {
    if (info.builder == builder) return info.name;
  }
  throw Error("there is no builder with the number " + std::to_string(static_cast<int>(builder)));
}

/// Throws for options that make no sense, or not with this volume.
void check(const BuildOptions& options) {
  const std::string volume(name_of(options.volume));
  const std::string builder(name_of(options.builder));
  if (!works_with(options.builder, options.volume)) {
    throw Error("the builder " + builder + " does not make hierarchies of the volume " + volume);
  }
  if (options.leaf_size < 0 || options.leaf_size > 64) {
    throw Error("leaves have 1 to 64 triangles, not " + std::to_string(options.leaf_size));
  }
  const bool two_planes =
      options.volume == Volume::boxtree_two_planes || options.volume == Volume::boxtree_packed;
  if (!two_planes && options.leaf_size > 1) {
    throw Error("only boxtrees with two planes a node have a choice of leaf sizes");
  }
  if (!(options.trim >= 0 && options.trim <= 1)) {
    throw Error("the share from which boxes are trimmed is from 0 to 1, not " +
                std::to_string(options.trim));
  }
  if (options.parallel_planes && !detail::is_boxtree(options.volume)) {
    throw Error("only boxtrees have planes that could be parallel");
  }
  if (options.arity == 0) return;
  if (two_planes && options.arity != 2) {
    throw Error("boxtrees with two planes a node are binary; an arity of " +
                std::to_string(options.arity) + " needs the boxtree with one plane a node");
  }
  if (options.arity < 2 || options.arity > 16) {
    throw Error("the arity of a hierarchy is from 2 to 16, not " + std::to_string(options.arity));
  }
  if (options.volume == Volume::wide && options.arity != detail::k_block) {
    throw Error("the volume wide has four children a node; an arity of " +
                std::to_string(options.arity) + " needs another volume, such as aabb");
  }
}

}  // namespace

std::span<const BuilderInfo> builders() {
  return k_builders;
}

bool works_with(Builder builder, Volume volume) {
  if (builder == Builder::automatic) return true;
  return (builder == Builder::best || builder == Builder::fast) == (volume == Volume::wide);
}

Model::Model(Mesh mesh, const BuildOptions& options) {
  if (mesh.triangle_count() > k_max_triangles) {
    throw Error("a model has at most " + std::to_string(k_max_triangles) +
                " triangles; this mesh has " + std::to_string(mesh.triangle_count()));
  }
  check(options);
  mesh_ = std::make_shared<const Mesh>(std::move(mesh));
  if (options.volume == Volume::wide) {
    hierarchy_ = detail::make_wide_hierarchy(*mesh_, build_wide(*mesh_, options));
    return;
  }
  const detail::TreeShape shape =
      detail::collapse(*mesh_, build_binary(*mesh_, options), std::max(2, options.arity));
  BuildOptions resolved = options;
  if (resolved.leaf_size == 0) {
    resolved.leaf_size = options.volume == Volume::boxtree_packed ? 8 : 1;
  }
  hierarchy_ = detail::make_hierarchy(resolved, *mesh_, shape);
}

Volume Model::volume() const {
  return hierarchy_->volume();
}

std::size_t Model::hierarchy_bytes() const {
  return hierarchy_->bytes();
}

}  // namespace tandem
