// What a call complains of.
#pragma once

#include <tandem/error.h>

#include <string>

namespace tandem::test {

/// The message of the `tandem::Error` that the call throws, or "" when it throws none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace tandem::test
