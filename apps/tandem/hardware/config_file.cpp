#include "hardware/config_file.h"

#include <tandem/error.h>

#include <cstddef>
#include <vector>

#include "text/input.h"
#include "text/json_text.h"
#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli::hardware {

namespace {

constexpr std::size_t k_largest_file = std::size_t{1} << 20;

JsonText read_json(const std::string& file) {
  const std::string name = one_line(file);
  try {
    return {name, read_input(file, k_largest_file)};
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(name) ? message : name + ": " + message);
  }
}

chip::Nodes read_nodes(const JsonValue& value) {
  const std::string wanted = value.text("\"nodes\"");
  for (const chip::NodesInfo& info : chip::node_formats()) {
    if (info.name == wanted) return info.nodes;
  }
  value.fail("\"nodes\": there is no format " + in_quotes(wanted) + "; choose one of " +
             names_of(chip::node_formats()));
}

int read_number(const JsonValue& value, const chip::ConfigNumber& number) {
  const Json& json = value.json();
  if (json.is_number_integer()) {
    const auto read = json.get<long long>();
    if (read >= number.least && read <= number.most) return static_cast<int>(read);
  }
  value.fail(in_quotes(number.name) + " must be a whole number from " +
             std::to_string(number.least) + " to " + std::to_string(number.most));
}

}  // namespace

chip::Config read_config(const std::optional<std::string>& file) {
  chip::Config config;
  if (!file) return config;
  const JsonText text = read_json(*file);
  const JsonValue root = text.root();
  std::vector<std::string_view> names = {"cycle_ns", "nodes"};
  for (const chip::ConfigSwitch& one : chip::config_switches()) names.push_back(one.name);
  for (const chip::ConfigNumber& number : chip::config_numbers()) names.push_back(number.name);
  root.expect_members("a chip", names);

  if (const auto value = root.find("cycle_ns")) {
    if (!value->json().is_number()) value->fail("'cycle_ns' must be a number");
    config.cycle_ns = value->json().get<double>();
  }
  if (const auto value = root.find("nodes")) config.nodes = read_nodes(*value);
  for (const chip::ConfigSwitch& one : chip::config_switches()) {
    if (const auto value = root.find(one.name)) {
      config.*one.value = value->boolean(in_quotes(one.name));
    }
  }
  for (const chip::ConfigNumber& number : chip::config_numbers()) {
    if (const auto value = root.find(number.name)) {
      config.*number.value = read_number(*value, number);
    }
  }
  try {
    config.check();
  } catch (const Error& error) {
    root.fail(error.what());
  }
  return config;
}

Json to_json(const chip::Config& config) {
  Json object;
  object["cycle_ns"] = config.cycle_ns;
  object["nodes"] = chip::info_of(config.nodes).name;
  for (const chip::ConfigSwitch& one : chip::config_switches()) {
    object[std::string(one.name)] = config.*one.value;
  }
  for (const chip::ConfigNumber& number : chip::config_numbers()) {
    object[std::string(number.name)] = config.*number.value;
  }
  return object;
}

std::string config_help() {
  constexpr std::size_t k_width = 24;
  const chip::Config usual;
  std::string text =
      "A chip is a JSON file, {\"dotadd_units\": 4, \"banks\": 8}. What it leaves out is as in "
      "the\n"
      "paper; times are in cycles of the chip:\n";
  text += list_line("cycle_ns", "a cycle in ns (" + shortest(usual.cycle_ns) + ")", k_width);
  text += list_line("nodes", "dop6, dop14, dop18, dop24, dop26 or boxtree (dop24)", k_width);
  for (const chip::ConfigSwitch& one : chip::config_switches()) {
    text += list_line(one.name, std::string(one.description) + " (false)", k_width);
  }
  for (const chip::ConfigNumber& number : chip::config_numbers()) {
    text += list_line(
        number.name,
        std::string(number.description) + " (" + std::to_string(usual.*number.value) + ")",
        k_width);
  }
  return text;
}

}  // namespace tandem::cli::hardware
