// JSON, with the keys in the order in which they were added.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tandem::cli {

using Json = nlohmann::ordered_json;

/// Prints `object` to standard output, indented. Bytes that are not UTF-8, which a file name may
/// have, become U+FFFD; control characters are escaped.
void print_json(const Json& object);

/// Writes the object to a file, or prints it when `file` is "-".
void write_json(const std::string& file, const Json& object);

}  // namespace tandem::cli
