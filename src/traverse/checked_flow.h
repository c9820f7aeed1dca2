// What sinks of callers answer.
#pragma once

#include <tandem/error.h>
#include <tandem/sink.h>

#include <string>

namespace tandem::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(Flow flow) {
  throw Error("a sink answers Flow::go_on or Flow::stop, not " +
              std::to_string(static_cast<int>(flow)));
}

/// Throws `tandem::Error` for a value that is none of the enum's: a number that was cast, or a sink
/// that returned nothing. What it meant cannot be guessed.
inline Flow checked(Flow flow) {
  if (flow != Flow::go_on && flow != Flow::stop) refuse(flow);
  return flow;
}

}  // namespace tandem::detail
