#include "options/scene/scene_file.h"

#include <tandem/assembly.h>
#include <tandem/error.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>

#include "options/json_pose.h"
#include "options/mesh_source.h"
#include "text/input.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

/// A scene of a million objects fits.
constexpr std::size_t k_largest_scene_file = std::size_t{1} << 28;
constexpr std::size_t k_longest_frame = std::size_t{1} << 28;

/// A whole file, or standard input for "-".
std::string read_scene(const std::string& path) {
  if (path == "-") {
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (std::cin.bad()) throw Error("standard input cannot be read to its end");
    return text;
  }
  try {
    return read_input(path, k_largest_scene_file);
  } catch (const Error& error) {
    throw Error(one_line(path) + ": " + error.what());
  }
}

/// What `make` returns; errors get the line of the value in front of them.
template <class Make>
auto at_line_of(const JsonValue& value, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    value.fail(error.what());
  }
}

std::string label_of(const JsonValue& value, const std::string& what) {
  std::string label = value.text(what);
  if (label.empty()) value.fail(what + " must not be empty");
  return label;
}

bool flag(const JsonValue& value, const char* name) {
  const std::optional<JsonValue> member = value.find(name);
  return member && member->boolean(in_quotes(name));
}

double scale_of(const JsonValue& value) {
  if (value.json().is_number()) {
    const double scale = value.json().get<double>();
    if (scale > 0) return scale;
  }
  return at_line_of(value, [&] {
    return parse_scale(value.is_text() ? value.text("") : value.json().dump(), "the scale");
  });
}

}  // namespace

SceneFile::SceneFile(const std::string& path)
    : text_(path == "-" ? "standard input" : one_line(path), read_scene(path)) {
  const JsonValue root = text_.root();
  std::vector<std::string_view> known = {"meshes", "objects", "allowed"};
  add_world_members(&known);
  root.expect_members("a scene", known);
  world_ = read_world_entry(root);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (const auto meshes = root.find("meshes")) {
    meshes->for_each_member("\"meshes\"", [&](const std::string& name, const JsonValue& value) {
      read_mesh(name, value, folder);
    });
  }
  const auto objects = root.find("objects");
  if (!objects) root.fail("a scene needs a list of \"objects\"");
  std::vector<std::optional<JsonValue>> parents;
  objects->for_each_item("\"objects\"", [&](const JsonValue& value) {
    read_object(value);
    parents.push_back(value.find("parent"));
  });
  find_parents(parents);
  sort_by_parents();
  if (const auto allowed = root.find("allowed")) {
    allowed->for_each_item("\"allowed\"", [&](const JsonValue& pair) {
      AllowedEntry entry{.labels = {}, .where = pair};
      std::size_t count = 0;
      pair.for_each_item("an allowed pair", [&](const JsonValue& label) {
        if (count == 2) pair.fail("an allowed pair has two names");
        entry.labels[count++] = label_of(label, "a name or group");
      });
      if (count != 2) pair.fail("an allowed pair has two names");
      allowed_.push_back(std::move(entry));
    });
  }
}

void SceneFile::read_mesh(const std::string& name, const JsonValue& value,
                          const std::string& folder) {
  MeshEntry entry{.name = name, .where = value};
  JsonValue file = value;
  if (!value.is_text()) {
    value.expect_members("a mesh", {"file", "scale", "part", "parts", "components"});
    const auto member = value.find("file");
    if (!member) value.fail("a mesh needs a \"file\"");
    file = *member;
    if (const auto scale = value.find("scale")) entry.scale = scale_of(*scale);
    entry.part = value.find("part");
    entry.parts = flag(value, "parts");
    entry.components = flag(value, "components");
    if (entry.part) {
      entry.part->text("the name of a part");
      if (entry.parts) entry.part->fail("a mesh has a \"part\" or \"parts\", not both");
    }
  }
  entry.source = label_of(file, "the file of a mesh");
  if (!is_shape(entry.source)) {
    entry.source = (std::filesystem::path(folder) / entry.source).string();
  }
  mesh_of_name_.emplace(name, meshes_.size());
  meshes_.push_back(std::move(entry));
}

void SceneFile::read_object(const JsonValue& value) {
  std::vector<std::string_view> known = {"name", "group", "mesh", "pose", "parent"};
  add_body_members(&known);
  value.expect_members("an object", known);
  ObjectEntry entry{.body = read_body_entry(value), .where = value};
  if (const auto mesh = value.find("mesh")) {
    const std::string wanted = mesh->text("the mesh of an object");
    const auto found = mesh_of_name_.find(wanted);
    if (found == mesh_of_name_.end()) {
      mesh->fail("there is no mesh " + in_quotes(wanted) + " among \"meshes\"");
    }
    entry.mesh = found->second;
  }
  if (const auto name = value.find("name")) {
    entry.name = label_of(*name, "the name of an object");
    if (object_of_name_.contains(entry.name)) {
      name->fail("there is an object " + in_quotes(entry.name) + " already");
    }
  } else if (entry.mesh) {
    MeshEntry& mesh = meshes_[*entry.mesh];
    do {
      ++mesh.unnamed;
      entry.name = mesh.unnamed == 1 ? mesh.name : mesh.name + " " + std::to_string(mesh.unnamed);
    } while (object_of_name_.contains(entry.name));
  } else {
    value.fail("an object without a mesh needs a name");
  }
  if (const auto group = value.find("group")) entry.group = label_of(*group, "a group");
  if (const auto pose = value.find("pose")) {
    entry.pose = at_line_of(*pose, [&] { return parse_json_pose(pose->json()); });
  }
  object_of_name_.emplace(entry.name, objects_.size());
  objects_.push_back(std::move(entry));
}

void SceneFile::find_parents(const std::vector<std::optional<JsonValue>>& parents) {
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (!parents[i]) continue;
    const std::string name = parents[i]->text("the parent of an object");
    const auto found = object_of_name_.find(name);
    if (found == object_of_name_.end()) {
      parents[i]->fail("there is no object " + in_quotes(name) + " that could be a parent");
    }
    objects_[i].parent = found->second;
  }
}

void SceneFile::sort_by_parents() {
  enum class State { unknown, on_the_way, placed };
  std::vector<State> states(objects_.size(), State::unknown);
  std::vector<std::size_t> way;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    // Up to an object that has its place or has no parent, then down again.
    std::optional<std::size_t> at = i;
    for (; at && states[*at] != State::placed; at = objects_[*at].parent) {
      if (states[*at] == State::on_the_way) {
        objects_[*at].where.fail("the object " + in_quotes(objects_[*at].name) +
                                 " is its own parent, directly or through others");
      }
      states[*at] = State::on_the_way;
      way.push_back(*at);
    }
    for (; !way.empty(); way.pop_back()) {
      states[way.back()] = State::placed;
      order_.push_back(way.back());
    }
  }
}

std::vector<std::array<std::string, 2>> SceneFile::allowed() const {
  std::vector<std::array<std::string, 2>> labels;
  for (const AllowedEntry& entry : allowed_) labels.push_back({entry.labels[0], entry.labels[1]});
  return labels;
}

std::vector<std::string> SceneFile::sources() const {
  std::vector<std::string> sources;
  sources.reserve(meshes_.size());
  for (const MeshEntry& entry : meshes_) sources.push_back(entry.source);
  return sources;
}

std::vector<SceneFile::Part> SceneFile::load_parts(const MeshEntry& entry, ReadOptions options,
                                                   int threads, Reporting reporting) const {
  if (entry.scale) options.scale = *entry.scale;
  const BuildOptions build{.threads = threads};
  const bool apart = entry.part || entry.parts || entry.components;
  if (!apart) {
    return {{Model(load_mesh(entry.source, reporting, options), build), "", Pose()}};
  }
  Assembly assembly = load_assembly(entry.source, reporting, options);
  if (entry.part) {
    const std::string wanted = entry.part->text("");
    if (std::erase_if(assembly.parts,
                      [&](const AssemblyPart& part) { return part.name != wanted; });
        assembly.parts.empty()) {
      throw Error(one_line(entry.source) + " has no part " + in_quotes(wanted));
    }
  }
  if (entry.components) assembly = split_components(assembly);
  // Only what is shown is built, and once.
  std::vector<std::optional<Model>> models(assembly.meshes.size());
  std::vector<Part> parts;
  for (const AssemblyPart& part : assembly.parts) {
    std::optional<Model>& model = models[part.mesh];
    if (!model) model.emplace(std::move(assembly.meshes[part.mesh]), build);
    const bool is_named = entry.parts || entry.components;
    parts.push_back({*model, is_named ? part.name : "", part.pose});
  }
  return parts;
}

LoadedScene SceneFile::load(const ReadOptions& options, int threads, Reporting reporting) const {
  LoadedScene loaded;
  std::vector<std::vector<Part>> parts;
  for (const MeshEntry& entry : meshes_) {
    parts.push_back(
        at_line_of(entry.where, [&] { return load_parts(entry, options, threads, reporting); }));
  }
  std::set<std::string, std::less<>> labels;
  std::vector<std::size_t> node_of(objects_.size());
  // Ids count up in the order of the file.
  std::vector<std::vector<LoadedScene::Shown>> shown(objects_.size());
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const ObjectEntry& object = objects_[i];
    labels.insert({object.name, object.group});
    if (!object.mesh) continue;
    for (const Part& part : parts[*object.mesh]) {
      ObjectLabels its{.name = object.name, .group = object.group};
      if (!part.name.empty()) {
        its.name += "/" + part.name;
        if (its.group.empty()) its.group = object.name;
      }
      labels.insert(its.name);
      shown[i].push_back({loaded.scene_.add(part.model, {}, its), part.pose});
      loaded.bodies_.push_back({object.body, object.where});
      loaded.triangle_count_ += part.model.mesh().triangle_count();
    }
  }
  for (const std::size_t i : order_) {
    const ObjectEntry& object = objects_[i];
    node_of[i] = loaded.nodes_.size();
    loaded.node_of_name_.emplace(object.name, node_of[i]);
    loaded.nodes_.push_back(
        {.parent = object.parent ? std::optional(node_of[*object.parent]) : std::nullopt,
         .pose = object.pose,
         .in_world = {},
         .shown = std::move(shown[i])});
  }
  for (const AllowedEntry& entry : allowed_) {
    for (const std::string& label : entry.labels) {
      if (!labels.contains(label)) {
        entry.where.fail("no object and no group is called " + in_quotes(label));
      }
    }
    loaded.scene_.allow(entry.labels[0], entry.labels[1]);
  }
  at_line_of(text_.root(), [&] { loaded.update(); });
  return loaded;
}

void LoadedScene::set_pose(std::string_view name, const Pose& in_parent) {
  const auto found = node_of_name_.find(name);
  if (found == node_of_name_.end()) throw Error("there is no object " + in_quotes(name));
  nodes_[found->second].pose = in_parent;
  nodes_[found->second].moved = true;
}

void LoadedScene::update() {
  for (Node& node : nodes_) {
    if (node.parent) node.moved = node.moved || nodes_[*node.parent].moved;
    if (!node.moved) continue;
    node.in_world = node.parent ? nodes_[*node.parent].in_world * node.pose : node.pose;
    for (const Shown& shown : node.shown) scene_.move(shown.id, node.in_world * shown.pose);
  }
  for (Node& node : nodes_) node.moved = false;
}

MoveLines::MoveLines(const std::string& path, const std::string& option)
    : lines_(path, option, k_longest_frame) {}

bool MoveLines::next(LoadedScene& scene) {
  const std::optional<std::string_view> line = lines_.next();
  if (!line) return false;
  try {
    const Json frame = Json::parse(*line, nullptr, false);
    if (!frame.is_object()) throw Error("this is not a JSON object of names and poses");
    std::vector<std::pair<std::string, Pose>> moves;
    for (const auto& [name, pose] : frame.items()) {
      if (!scene.has(name)) throw Error("there is no object " + in_quotes(name));
      try {
        moves.emplace_back(name, parse_json_pose(pose));
      } catch (const Error& error) {
        throw Error(in_quotes(name) + ": " + error.what());
      }
    }
    for (const auto& [name, pose] : moves) scene.set_pose(name, pose);
    scene.update();
  } catch (const Error& error) {
    lines_.fail(error.what());
  }
  return true;
}

}  // namespace tandem::cli
