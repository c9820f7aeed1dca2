// Whole numbers on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::cli {

/// The whole number that `text` is. Throws `tandem::Error` that begins with `what` when it is none.
std::uint64_t whole_number(std::string_view text, std::string_view what);

/// A whole number from `least` to `most`, which an int can hold. Throws `tandem::Error` that begins
/// with `option`.
int whole_number_in(std::string_view text, std::string_view option, int least, int most);

}  // namespace tandem::cli
