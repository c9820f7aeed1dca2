// The command line program: options in, exit status out. Each folder beside this file is a room;
// the main header of a room says what it is for and what it may use.
#include <fcntl.h>
#include <tandem/version.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.h"
#include "file/output_file.h"
#include "text/output.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_description =
    "Tandem finds which triangles of one mesh touch which triangles of another, exactly.";

constexpr const char* k_examples = R"(Examples:
  tandem demo
  tandem collide shape:knot:20000 shape:torus:5000 --pose-b 0.5,0.2,0
  tandem make knot --triangles 80000 -o knot.ply
  tandem info knot.ply
  tandem collide knot.ply knot.ply --pose-b "1 0 0 axis z angle 90" --pairs pairs.txt
  tandem distance knot.ply shape:box --pose-b 5,0,0
  seq 0 0.01 2 | sed 's/$/ 0 0/' | tandem batch knot.ply shape:torus --poses -
  tandem self knot.ply
  tandem render -o hall.png --size 320x180 --samples 8
  tandem bench
  tandem reproduce

Each command has examples of its own: tandem collide --help
Exit status: 0 when all went well, 1 when --exit-code found a collision, 2 for an error.)";

// Puts a blank line before the usage, and uses our words for things.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(24);
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return "\n" + CLI::Formatter::make_usage(app, std::move(name));
  }
};

// If the caller closed a standard stream, the next file that is opened would get its number, and
// what is printed would end up in that file. With these, writing to the stream fails instead.
void occupy_closed_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
      const int opened = open("/dev/null", O_RDONLY);
  }
}

// A user or the system ends the program: no part of a file is left behind, and the shell is told by
// which signal, as if nothing had been done about it.
extern "C" void end_by_signal(int signal) {
  detail::remove_temporary_files();
  raise(signal);  // the handler was reset when it was called
}

void handle_signals() {
  // When a reader goes away, or a file grows beyond its limit, writing fails and is reported like
  // any other error.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // as nohup wants it
    action.sa_handler = end_by_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    sigaction(signal, &action, nullptr);
  }
}

// CLI11's error as one sentence in our words. An unexpected argument is the most likely cause of
// other errors, so it is reported first.
std::string sentence(const CLI::ParseError& error, const CLI::App& program) {
  const CLI::App* command = &program;
  std::string words = "tandem";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands()[0];
    words += " " + command->get_name();
  }
  const bool has_commands =
      !command->get_subcommands([](const CLI::App* app) { return !app->get_name().empty(); })
           .empty();
  const std::string hint = " (see " + words + " --help)";
  const std::string_view what = error.what();

  for (const std::string& argument : program.remaining(true)) {
    if (argument == "--") continue;
    const bool option = argument.starts_with('-') && argument.size() > 1;
    const char* const kind = option         ? "unknown option "
                             : has_commands ? "unknown command "
                                            : "unexpected argument ";
    return kind + in_quotes(argument) + hint;
  }
  const std::string option(what.substr(0, what.find_first_of(": ")));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return command->get_name() + " needs " + option + hint;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    if (what.ends_with("missing")) return option + " needs a value" + hint;
    if (what.find("received") != what.npos) return option + " may be given once" + hint;
    return "--" + option + " takes no value" + hint;
  }
  return std::string(what) + hint;
}

int run(int argc, char** argv) {
  CLI::App program(k_description, "tandem");
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_version_flag("--version", "tandem " TANDEM_VERSION, "print the version");
  program.set_help_flag("-h,--help", "print this help");
  program.require_subcommand(0, 1);
  program.option_defaults()->disable_flag_override();
  program.footer(k_examples);
  std::vector<Command> commands = {add_collide(program),
                                   add_distance(program),
                                   add_self(program),
                                   add_batch(program),
                                   add_clash(program),
                                   add_scene(program),
                                   add_view(program),
                                   add_simulate(program),
                                   add_make(program),
                                   add_info(program),
                                   add_list(program),
                                   add_render(program),
                                   add_bench(program),
                                   add_chip(program),
                                   add_reproduce(program),
                                   add_selftest(program),
                                   add_demo(program, argc > 0 ? argv[0] : "tandem")};
  for (const Command& command : commands) set_group(*command.options, "Commands");

  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return k_exit_ok;
  } catch (const CLI::CallForHelp&) {
    print(program.help());
    return k_exit_ok;
  } catch (const CLI::ParseError& error) {
    throw std::runtime_error(sentence(error, program));
  }
  for (const Command& command : commands) {
    if (was_given(*command.options)) return command.run();
  }
  print(program.help());
  return k_exit_ok;
}

void complain(std::string_view sentence) {
  std::fprintf(stderr, "tandem: %s\n", one_line(sentence).c_str());
}

}  // namespace

}  // namespace tandem::cli

int main(int argc, char** argv) {
  using namespace tandem::cli;
  handle_signals();
  occupy_closed_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return k_exit_error;
}
