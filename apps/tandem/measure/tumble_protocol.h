// The tumble protocol (restricted boxtree paper, section 5): two copies of an object, the second of
// which turns at some distance from the first.
#pragma once

#include <tandem/mesh.h>
#include <tandem/model.h>
#include <tandem/pose.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/chart.h"
#include "text/json.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// An object, moved and scaled so that its box is around the origin and the longest side is 2.
struct TumblingObject {
  /// As the user named it.
  std::string source;
  /// For tables and file names: the file's name without its folder and ending.
  std::string name;
  Mesh mesh;
};

/// Reads or makes the objects of a comma-separated list. No two get the same name. Throws
/// `tandem::Error`, also for an object without extent.
std::vector<TumblingObject> load_tumbling_objects(std::string_view sources, Reporting reporting);

/// Where B stands in A's frame, step by step: turned by Rz(θ)·Rx(θ), θ = 2π(i + 0.5)/steps,
/// and moved by (distance, 0, 0).
std::vector<Pose> tumble_poses(int steps, double distance);

/// The clear distance: the smallest distance of the centres beyond which nothing touches at any
/// step of the turn of two copies, to that relative precision. At the result nothing touches.
double clear_distance(const Model& model, int steps, double precision, const Progress& progress);

/// A whole turn of an object at one distance: what measurements of it have in common.
struct Turn {
  std::string source;
  std::string name;
  std::size_t triangle_count = 0;
  double distance = 0;
  int steps = 0;

  /// "knot (20,000 triangles) at the distance 0.5".
  std::string title() const;
  /// Its object and distance: how the JSON of its rows begins.
  Json json_head() const;
};
Turn turn_of(const TumblingObject& object, double distance, int steps);

/// A distance, and how many times the clear distance it is; 0 where the user gave it.
struct Place {
  double distance = 0;
  double apart = 0;

  /// That of a turn there, and how far apart it is.
  std::string title(const Turn& turn) const;
};

/// The places that far apart, with few digits.
std::vector<Place> places_apart(const TumblingObject& object, const Model& model,
                                std::span<const double> apart, int steps, Reporting reporting);

/// An empty chart of times in µs against distance. `turn` is any turn of the object.
Chart distance_chart(const Turn& turn, const std::string& title);

/// The measurements of one object after the other. Those of the same object must be neighbours.
template <class Measurement>
std::vector<std::span<const Measurement>> by_object(std::span<const Measurement> measurements) {
  std::vector<std::span<const Measurement>> groups;
  for (std::size_t begin = 0; begin < measurements.size();) {
    std::size_t end = begin;
    while (end < measurements.size() && measurements[end].name == measurements[begin].name) ++end;
    groups.push_back(measurements.subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

}  // namespace tandem::cli
