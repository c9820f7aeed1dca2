// Scene files: meshes, the objects that show them, and which may touch.
#pragma once

#include <tandem/mesh_io.h>
#include <tandem/pose.h>
#include <tandem/scene.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/line_reader.h"
#include "options/scene/body_entry.h"
#include "text/json_text.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// What a scene file may be, for the help.
inline constexpr const char* k_scene_file_help =
    R"(A scene is a JSON file:
  {
    "meshes": {
      "table": "table.stl",
      "valve": {"file": "engine.glb", "part": "valve", "scale": "mm"},
      "robot": {"file": "robot.obj", "parts": true},
      "ball": "shape:sphere:2000"
    },
    "objects": [
      {"name": "table", "mesh": "table"},
      {"name": "base", "pose": "0 0 1 axis z angle 90"},
      {"name": "arm", "mesh": "robot", "parent": "base", "group": "robots"},
      {"mesh": "ball", "pose": {"translation": [0, 0, 2], "quaternion": [1, 0, 0, 0]}}
    ],
    "allowed": [["table", "base"], ["robots", "robots"]]
  }
A mesh is a file, as seen from the folder of the scene, or shape:NAME[:TRIANGLES[:SEED]]. Of a file
with parts one can be chosen ("part"), or each becomes an object OBJECT/PART ("parts", or
"components" for connected pieces). An object has a mesh or is a frame for others. Its pose, written
as for tandem batch, is in the frame of its parent, or of the world. Objects without a name are
called as their mesh. "allowed" are pairs of names or groups that may touch; an object of parts that
has no group is one for them. What tandem simulate reads beside this, such as "mass", may be there
too.)";

/// A scene that was made of a file.
class LoadedScene {
 public:
  const tandem::Scene& scene() const { return scene_; }
  std::size_t triangle_count() const { return triangle_count_; }

  /// How objects move in a simulation, by their ids, and where the file says so.
  struct Body {
    BodyEntry entry;
    JsonValue where;
  };
  std::span<const Body> bodies() const { return bodies_; }

  bool has(std::string_view name) const { return node_of_name_.contains(name); }
  /// Says where an object stands in the frame of its parent. Throws `tandem::Error` for a name that
  /// no object has.
  void set_pose(std::string_view name, const Pose& in_parent);
  /// Puts one object of the scene somewhere, until it is moved again.
  void show_at(ObjectId object, const Pose& in_world) { scene_.move(object, in_world); }
  /// Moves what `set_pose` concerned, and all that it is the parent of. Throws `tandem::Error` when
  /// something leaves the range of poses.
  void update();

 private:
  friend class SceneFile;

  /// A scene's object, and where it stands in the frame of the file's.
  struct Shown {
    ObjectId id;
    Pose pose;
  };
  /// Parents stand before what they are the parents of.
  struct Node {
    std::optional<std::size_t> parent;
    Pose pose;
    Pose in_world;
    bool moved = true;
    std::vector<Shown> shown;
  };

  tandem::Scene scene_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t, std::less<>> node_of_name_;
  std::vector<Body> bodies_;
  std::size_t triangle_count_ = 0;
};

/// Reads a scene file.
class SceneFile {
 public:
  /// Reads the JSON and checks all of it that can be checked without the meshes. Throws
  /// `tandem::Error`, here and below, that names the line.
  explicit SceneFile(const std::string& path);

  /// The files and shapes of its meshes.
  std::vector<std::string> sources() const;

  /// How everything moves in a simulation.
  const WorldEntry& world() const { return world_; }
  /// Where the first two labels that may touch are named, if any are.
  std::optional<JsonValue> first_allowed() const {
    return allowed_.empty() ? std::nullopt : std::optional(allowed_.front().where);
  }
  /// The labels of objects that may touch.
  std::vector<std::array<std::string, 2>> allowed() const;

  /// Reads the meshes and builds models of them. What is loaded refers to the file, which must
  /// outlive it.
  LoadedScene load(const ReadOptions& options, int threads, Reporting reporting) const;

 private:
  struct MeshEntry {
    std::string name = {};
    std::string source = {};
    std::optional<double> scale = {};
    std::optional<JsonValue> part = {};
    bool parts = false;
    bool components = false;
    /// How many objects are called like it because they have no name.
    int unnamed = 0;
    JsonValue where;
  };
  struct ObjectEntry {
    std::string name = {};
    std::string group = {};
    std::optional<std::size_t> mesh = {};
    std::optional<std::size_t> parent = {};
    Pose pose = {};
    BodyEntry body = {};
    JsonValue where;
  };
  struct AllowedEntry {
    std::string labels[2] = {};
    JsonValue where;
  };
  /// A mesh that an object shows: the model, its name where there are several, and its place.
  struct Part {
    Model model;
    std::string name;
    Pose pose;
  };

  void read_mesh(const std::string& name, const JsonValue& value, const std::string& folder);
  void read_object(const JsonValue& value);
  void find_parents(const std::vector<std::optional<JsonValue>>& parents);
  void sort_by_parents();
  std::vector<Part> load_parts(const MeshEntry& entry, ReadOptions options, int threads,
                               Reporting reporting) const;

  JsonText text_;
  std::vector<MeshEntry> meshes_;
  std::vector<ObjectEntry> objects_;
  std::vector<AllowedEntry> allowed_;
  WorldEntry world_;
  std::map<std::string, std::size_t, std::less<>> mesh_of_name_;
  std::map<std::string, std::size_t, std::less<>> object_of_name_;
  /// Positions of objects, parents first.
  std::vector<std::size_t> order_;
};

/// Moves of objects, a frame per line: {"NAME": POSE, ...} says which objects stand elsewhere from
/// this frame on.
class MoveLines {
 public:
  /// Throws `tandem::Error` that begins with `option` when the file cannot be read.
  MoveLines(const std::string& path, const std::string& option);

  /// Moves the scene to the next frame; false at the end. Throws `tandem::Error` that names the
  /// line for what is no frame, or moves something out of the range of poses.
  bool next(LoadedScene& scene);

  std::uint64_t line_number() const { return lines_.line_number(); }
  std::optional<double> share_done() const { return lines_.share_done(); }

 private:
  LineReader lines_;
};

}  // namespace tandem::cli
