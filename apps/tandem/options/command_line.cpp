#include "options/command_line.h"

#include <CLI/CLI.hpp>

namespace tandem::cli {

namespace {

template <class Value>
CLI::Option* add_option(CLI::App& app, const char* name, Value& value, const char* placeholder,
                        const std::string& text, Need need) {
  return app.add_option(name, value, text)
      ->option_text(placeholder)
      ->required(need == Need::required);
}

}  // namespace

CLI::App* add_command(CLI::App& parent, const char* name, const std::string& text) {
  return parent.add_subcommand(name, text);
}

void set_footer(CLI::App& app, const std::string& text) {
  app.footer(text);
}

void set_group(CLI::App& app, const char* group) {
  app.group(group);
}

void allow_one_command(CLI::App& app) {
  app.require_subcommand(0, 1);
}

bool was_given(const CLI::App& app) {
  return app.parsed();
}

std::string help_of(const CLI::App& app) {
  return app.help();
}

void add_flag(CLI::App& app, const char* name, bool& value, const std::string& text) {
  app.add_flag(name, value, text);
}

void add_value(CLI::App& app, const char* name, std::string& value, const char* placeholder,
               const std::string& text, Need need) {
  add_option(app, name, value, placeholder, text, need);
}

void add_value(CLI::App& app, const char* name, std::optional<std::string>& value,
               const char* placeholder, const std::string& text, Need need) {
  add_option(app, name, value, placeholder, text, need);
}

void add_value(CLI::App& app, const char* name, std::vector<std::string>& values,
               const char* placeholder, const std::string& text) {
  add_option(app, name, values, placeholder, text, Need::optional)->expected(1)->take_all();
}

void add_value_with_default(CLI::App& app, const char* name, std::string& value,
                            const char* placeholder, const std::string& text) {
  add_value(app, name, value, placeholder, text + " (default " + value + ")");
}

void add_list(CLI::App& app, const char* name, std::string& value, const std::string& text) {
  add_value(app, name, value, "LIST", text + "\n(default " + value + ")");
}

void add_argument(CLI::App& app, const char* name, std::string& value, const std::string& text,
                  Need need) {
  add_option(app, name, value, " ", text, need);
}

void add_argument(CLI::App& app, const char* name, std::optional<std::string>& value,
                  const std::string& text) {
  add_option(app, name, value, " ", text, Need::optional);
}

void add_argument(CLI::App& app, const char* name, std::vector<std::string>& values,
                  const std::string& text, Need need) {
  add_option(app, name, values, " ", text, need);
}

}  // namespace tandem::cli
