// Build options that fit an algorithm or a volume.
#pragma once

#include <tandem/model.h>
#include <tandem/query.h>

#include <vector>

#include "math/random.h"

namespace tandem::test {

/// The default volume where the algorithm works with it, boxes otherwise.
inline BuildOptions options_for(Algorithm algorithm) {
  const Volume volume = BuildOptions{}.volume;
  return {.volume = works_with(algorithm, volume) ? volume : Volume::aabb};
}

/// A builder of that volume, an arity of at most `most` and whatever else it has, at random.
inline BuildOptions draw_options(Volume volume, int most, detail::Random& random) {
  std::vector<Builder> fitting;
  for (const BuilderInfo& info : builders()) {
    if (works_with(info.builder, volume)) fitting.push_back(info.builder);
  }
  BuildOptions options{.volume = volume, .builder = fitting[random.below(fitting.size())]};
  const bool two_planes = volume == Volume::boxtree_two_planes || volume == Volume::boxtree_packed;
  if (two_planes) {
    options.leaf_size = static_cast<int>(random.below(10));
    options.trim = random.below(2) == 0 ? options.trim : random.uniform(0, 1);
  } else if (volume != Volume::wide) {
    options.arity = 2 + static_cast<int>(random.below(most - 1));
  }
  if (works_with(Overlap::lookup, volume)) options.parallel_planes = random.below(2) == 0;
  return options;
}

}  // namespace tandem::test
