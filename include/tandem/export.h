// TANDEM_API marks what users call: a shared library exports this and hides all else. The same
// objects make the static library, so users of either define nothing.
#pragma once

#define TANDEM_API __attribute__((visibility("default")))
