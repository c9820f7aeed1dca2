// What users choose by name: algorithms, volumes, tests, builders, traversals, papers, peers.
#pragma once

#include <tandem/error.h>
#include <tandem/model.h>
#include <tandem/query.h>
#include <tandem/ray.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/comma_lists.h"
#include "text/strings.h"

namespace tandem::cli {

/// The one of `infos` that is called `name`. Throws `tandem::Error` that begins with `complaint`,
/// as in "there is no algorithm called", and ends with the names that there are.
template <class Info>
const Info& find_named(std::span<const Info> infos, std::string_view name,
                       std::string_view complaint) {
  for (const Info& info : infos) {
    if (info.name == name) return info;
  }
  throw Error(std::string(complaint) + " " + in_quotes(name) + "; choose one of " +
              names_of(infos));
}

/// The same for the value of an option.
template <class Info>
const Info& find_choice(std::span<const Info> infos, std::string_view name,
                        std::string_view option) {
  return find_named(infos, name, std::string(option) + ": there is none called");
}

/// The ones of `infos` that the comma-separated list names, in the order of `infos`; "all" stands
/// for all of them. Throws `tandem::Error` that begins with `option`.
template <class Info>
std::vector<Info> find_choices(std::span<const Info> infos, std::string_view list,
                               std::string_view option) {
  std::vector<std::string_view> chosen;
  for (const std::string& name : split_list(list, option)) {
    if (name == "all") return {infos.begin(), infos.end()};
    chosen.push_back(find_choice(infos, name, option).name);
  }
  std::vector<Info> result;
  std::copy_if(infos.begin(), infos.end(), std::back_inserter(result), [&](const Info& info) {
    return std::find(chosen.begin(), chosen.end(), info.name) != chosen.end();
  });
  return result;
}

/// The one of `infos` whose `member` is `value`, which must be among them.
template <class Info, class Value>
const Info& info_with(std::span<const Info> infos, Value Info::*member, Value value) {
  return *std::find_if(infos.begin(), infos.end(),
                       [&](const Info& info) { return info.*member == value; });
}

inline const AlgorithmInfo& info_of(Algorithm algorithm) {
  return info_with(algorithms(), &AlgorithmInfo::algorithm, algorithm);
}
inline const VolumeInfo& info_of(Volume volume) {
  return info_with(volumes(), &VolumeInfo::volume, volume);
}
inline const OverlapInfo& info_of(Overlap overlap) {
  return info_with(overlaps(), &OverlapInfo::overlap, overlap);
}
inline const TriangleTestInfo& info_of(TriangleTest test) {
  return info_with(triangle_tests(), &TriangleTestInfo::triangle_test, test);
}
inline const BuilderInfo& info_of(Builder builder) {
  return info_with(builders(), &BuilderInfo::builder, builder);
}
inline const RayTraversalInfo& info_of(RayTraversal traversal) {
  return info_with(ray_traversals(), &RayTraversalInfo::traversal, traversal);
}

/// The name of an algorithm, a volume, a test, a builder or a traversal of rays.
template <class Choice>
std::string name_of(Choice choice) {
  return std::string(info_of(choice).name);
}

}  // namespace tandem::cli
