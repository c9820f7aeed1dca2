#include "options/scene/body_entry.h"

#include "text/strings.h"

namespace tandem::cli {

namespace {

std::optional<double> number(const JsonValue& value, std::string_view name) {
  const std::optional<JsonValue> member = value.find(name);
  return member ? std::optional(member->number(in_quotes(name))) : std::nullopt;
}

std::optional<double> positive(const JsonValue& value, std::string_view name) {
  const std::optional<double> result = number(value, name);
  if (result && !(*result > 0)) value.find(name)->fail(in_quotes(name) + " must be above 0");
  return result;
}

void read_vector(const JsonValue& value, std::string_view name, Vec3d* result) {
  const std::optional<JsonValue> member = value.find(name);
  if (!member) return;
  const std::vector<double> parts = member->numbers(3, in_quotes(name));
  *result = {parts[0], parts[1], parts[2]};
}

}  // namespace

void add_body_members(std::vector<std::string_view>* known) {
  known->insert(known->end(), {"static", "density", "mass", "velocity", "angular_velocity",
                               "friction", "restitution"});
}

void add_world_members(std::vector<std::string_view>* known) {
  known->insert(known->end(), {"gravity", "time_step"});
}

BodyEntry read_body_entry(const JsonValue& object) {
  BodyEntry entry;
  if (const auto is_static = object.find("static")) {
    entry.is_static = is_static->boolean("\"static\"");
  }
  entry.density = positive(object, "density");
  entry.mass = positive(object, "mass");
  if (entry.density && entry.mass) {
    object.find("mass")->fail("an object has a \"density\" or a \"mass\", not both");
  }
  read_vector(object, "velocity", &entry.velocity);
  read_vector(object, "angular_velocity", &entry.angular_velocity);
  for (const char* const name : {"density", "mass", "velocity", "angular_velocity"}) {
    if (!entry.is_static) break;
    if (const auto member = object.find(name)) {
      member->fail("an object that is static has no " + in_quotes(name));
    }
  }
  entry.friction = number(object, "friction").value_or(entry.friction);
  if (entry.friction < 0) object.find("friction")->fail("\"friction\" must be 0 or more");
  entry.restitution = number(object, "restitution").value_or(entry.restitution);
  if (entry.restitution < 0 || entry.restitution > 1) {
    object.find("restitution")->fail("\"restitution\" must be from 0 to 1");
  }
  return entry;
}

WorldEntry read_world_entry(const JsonValue& scene) {
  WorldEntry entry;
  read_vector(scene, "gravity", &entry.gravity);
  entry.time_step = positive(scene, "time_step").value_or(entry.time_step);
  return entry;
}

}  // namespace tandem::cli
