// Command lines, as CLI11 reads them: commands, flags, values and arguments are declared here.
//
// CLI11 takes seconds to compile. So only command_line.cpp and main.cpp include it; to all others
// `CLI::App` is a name.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls itself
class App;
}

namespace tandem::cli {

/// A command of the program, or of another command.
CLI::App* add_command(CLI::App& parent, const char* name, const std::string& text);

/// What the help ends with.
void set_footer(CLI::App& app, const std::string& text);

/// The heading of the parent's help under which the command stands.
void set_group(CLI::App& app, const char* group);

/// One of its commands may be given.
void allow_one_command(CLI::App& app);

/// Whether the command was given.
bool was_given(const CLI::App& app);

std::string help_of(const CLI::App& app);

/// Whether a value or argument may be left out.
enum class Need { optional, required };

void add_flag(CLI::App& app, const char* name, bool& value, const std::string& text);

/// An option with a value, which the help calls `placeholder`.
void add_value(CLI::App& app, const char* name, std::string& value, const char* placeholder,
               const std::string& text, Need need = Need::optional);
void add_value(CLI::App& app, const char* name, std::optional<std::string>& value,
               const char* placeholder, const std::string& text, Need need = Need::optional);
/// One that may be given several times, with a value each.
void add_value(CLI::App& app, const char* name, std::vector<std::string>& values,
               const char* placeholder, const std::string& text);

/// The same, where the help also says the default: what `value` is now.
void add_value_with_default(CLI::App& app, const char* name, std::string& value,
                            const char* placeholder, const std::string& text);

/// An option whose value is a comma-separated list, with its default on a line of its own.
void add_list(CLI::App& app, const char* name, std::string& value, const std::string& text);

/// An argument that is given without a name.
void add_argument(CLI::App& app, const char* name, std::string& value, const std::string& text,
                  Need need = Need::optional);
void add_argument(CLI::App& app, const char* name, std::optional<std::string>& value,
                  const std::string& text);
/// One or more of them.
void add_argument(CLI::App& app, const char* name, std::vector<std::string>& values,
                  const std::string& text, Need need = Need::optional);

}  // namespace tandem::cli
