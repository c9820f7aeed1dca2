#include "simulate/state_file.h"

#include <tandem/error.h>

#include "text/input.h"
#include "text/json_text.h"
#include "text/output.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

Json to_json(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

JsonValue member(const JsonValue& value, std::string_view name) {
  const std::optional<JsonValue> found = value.find(name);
  if (!found) value.fail(in_quotes(name) + " is missing");
  return *found;
}

Vec3d vector(const JsonValue& value, std::string_view name) {
  const auto n = member(value, name).numbers(3, in_quotes(name));
  return {n[0], n[1], n[2]};
}

std::uint64_t whole(const JsonValue& value, std::string_view name, std::uint64_t most) {
  const JsonValue found = member(value, name);
  if (!found.json().is_number_unsigned() || found.json().get<std::uint64_t>() > most) {
    found.fail(in_quotes(name) + " is a whole number up to " + std::to_string(most));
  }
  return found.json().get<std::uint64_t>();
}

double number(const JsonValue& value, std::string_view name) {
  return member(value, name).number(in_quotes(name));
}

constexpr std::uint64_t k_most_32 = 0xffff'ffff;

sim::BodyState read_body(const JsonValue& value) {
  sim::BodyState body;
  body.centre = vector(value, "centre");
  const auto turn = member(value, "orientation").numbers(4, "\"orientation\"");
  std::copy(turn.begin(), turn.end(), body.orientation.begin());
  body.velocity = vector(value, "velocity");
  body.angular_velocity = vector(value, "angular_velocity");
  body.slow_steps = static_cast<std::uint32_t>(whole(value, "slow_steps", k_most_32));
  body.asleep = member(value, "asleep").boolean("\"asleep\"");
  return body;
}

sim::PressedPoint read_point(const JsonValue& value) {
  sim::PressedPoint point;
  const auto id = [&](std::string_view name) {
    return static_cast<std::uint32_t>(whole(value, name, k_most_32));
  };
  point.a = id("a");
  point.b = id("b");
  point.point = {.position = vector(value, "position"),
                 .normal = vector(value, "normal"),
                 .separation = number(value, "separation"),
                 .pair = {id("triangle_a"), id("triangle_b")},
                 .patch = id("patch")};
  point.impulse = number(value, "impulse");
  point.friction = vector(value, "friction");
  return point;
}

}  // namespace

void write_state(const std::string& file, const Json& about, const sim::State& state) {
  Json bodies = Json::array();
  for (const sim::BodyState& body : state.bodies) {
    bodies.push_back({{"centre", to_json(body.centre)},
                      {"orientation", body.orientation},
                      {"velocity", to_json(body.velocity)},
                      {"angular_velocity", to_json(body.angular_velocity)},
                      {"slow_steps", body.slow_steps},
                      {"asleep", body.asleep}});
  }
  Json contacts = Json::array();
  for (const sim::PressedPoint& point : state.pressed) {
    contacts.push_back({{"a", point.a},
                        {"b", point.b},
                        {"triangle_a", point.point.pair.a},
                        {"triangle_b", point.point.pair.b},
                        {"patch", point.point.patch},
                        {"position", to_json(point.point.position)},
                        {"normal", to_json(point.point.normal)},
                        {"separation", point.point.separation},
                        {"impulse", point.impulse},
                        {"friction", to_json(point.friction)}});
  }
  write_json(file, {{"simulation", about},
                    {"step", state.step},
                    {"bodies", std::move(bodies)},
                    {"contacts", std::move(contacts)}});
}

sim::State read_state(const std::string& file, const Json& about) {
  constexpr std::size_t k_most_bytes = std::size_t{1} << 32;
  const JsonText text(one_line(file), [&] {
    try {
      return read_input(file, k_most_bytes);
    } catch (const Error& error) {
      throw Error("--continue: " + one_line(file) + ": " + error.what());
    }
  }());
  const JsonValue root = text.root();
  root.expect_members("a state", {"simulation", "step", "bodies", "contacts"});
  const JsonValue made_by = member(root, "simulation");
  if (made_by.json() != about) {
    made_by.fail("the state is of another simulation: " + made_by.json().dump() + ", and not of " +
                 about.dump());
  }
  sim::State state;
  state.step = whole(root, "step", std::uint64_t{1} << 53);
  member(root, "bodies").for_each_item("\"bodies\"", [&](const JsonValue& value) {
    state.bodies.push_back(read_body(value));
  });
  member(root, "contacts").for_each_item("\"contacts\"", [&](const JsonValue& value) {
    state.pressed.push_back(read_point(value));
  });
  return state;
}

}  // namespace tandem::cli
