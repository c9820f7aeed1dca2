// The page without data, as it was built.
#pragma once

#include <string_view>

namespace tandem::cli {

/// Empty where the program was built without it.
std::string_view page_asset();

}  // namespace tandem::cli
