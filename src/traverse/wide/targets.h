// Which of Highway's targets the kernels are compiled for: include this before Highway. Every file
// that dispatches on the instruction set does, so that all of them have the same targets.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): Highway's own names
// All that the compiler can make, also those that a better baseline makes superfluous: the emulated
// one is always there, as the fallback, and so that tests can compare all others with it.
#define HWY_COMPILE_ALL_ATTAINABLE
// WebAssembly has one target: a module says which instructions it has before it runs.
#ifdef __wasm__
#undef HWY_COMPILE_ALL_ATTAINABLE
#define HWY_COMPILE_ONLY_STATIC
#endif
// Single lanes are too few for the kernels: who asks for those gets the emulation of four.
#ifdef HWY_COMPILE_ONLY_SCALAR
#undef HWY_COMPILE_ONLY_SCALAR
#define HWY_COMPILE_ONLY_EMU128
#endif
// With g++ before 12.3, Highway replaces the emulation of four lanes, EMU128, by single ones: these
// compilers get the upper halves of integer products wrong (GCC bug 106322). The kernels do not use
// such products, and they need four lanes.
#define HWY_BROKEN_EMU128 0
// The kernels keep vectors in structs and arrays, which those of SVE and RVV cannot be put into.
// AVX3_DL has nothing that the kernels could use beyond AVX3. SSSE3 without SSE4 is found on no
// processor made since 2008; those run the emulated target.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// NOLINTEND(readability-identifier-naming)
