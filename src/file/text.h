// Text from files and file names, made fit for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tandem::detail {

/// The text as a terminal may be shown it: UTF-8 as it is, but control characters (also those
/// beyond ASCII, and those that turn the direction of writing) and bytes that are no UTF-8 written
/// as \xNN. Applied twice it does nothing more.
std::string printable(std::string_view text);

/// A piece of a file for a message: in quotes, plain ASCII, shortened when it is long.
std::string quoted(std::string_view text);

/// The text with A to Z as a to z, whatever the locale.
std::string lower_case(std::string_view text);

/// "1 vertex", "2 vertices": a count with the right form of its noun.
std::string counted(std::size_t count, std::string_view one, std::string_view many);

}  // namespace tandem::detail
