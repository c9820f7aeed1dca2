// Parameters that may be given in several ways. The function that takes one converts it, as it
// knows what the parameter is called: every error names it.
#pragma once

#include <pybind11/pybind11.h>
#include <tandem/error.h>

#include <string>
#include <utility>

namespace tandem::python {

namespace py = pybind11;

/// Whatever the caller gave, borrowed for the call. The kind is what signatures show.
template <class Kind>
struct Like {
  py::handle value;

  bool is_none() const { return value.is_none(); }
};

struct PoseKind {
  static constexpr auto k_name = py::detail::const_name("PoseLike");
};
struct PosesKind {
  static constexpr auto k_name = py::detail::const_name("PosesLike");
};
struct ArrayKind {
  static constexpr auto k_name = py::detail::const_name("ArrayLike");
};
struct EngineKind {
  static constexpr auto k_name = py::detail::const_name("Optional[Engine]");
};
struct RayEngineKind {
  static constexpr auto k_name = py::detail::const_name("Optional[RayEngine]");
};
struct StatisticsKind {
  static constexpr auto k_name = py::detail::const_name("Optional[Statistics]");
};
struct RayStatisticsKind {
  static constexpr auto k_name = py::detail::const_name("Optional[RayStatistics]");
};
struct CallableKind {
  static constexpr auto k_name = py::detail::const_name("Optional[Callable]");
};
struct AnyKind {
  static constexpr auto k_name = py::detail::const_name("Any");
};

using PoseLike = Like<PoseKind>;
using PosesLike = Like<PosesKind>;
using ArrayLike = Like<ArrayKind>;
using EngineLike = Like<EngineKind>;
using RayEngineLike = Like<RayEngineKind>;
using StatisticsLike = Like<StatisticsKind>;
using RayStatisticsLike = Like<RayStatisticsKind>;
using CallableLike = Like<CallableKind>;
using AnyLike = Like<AnyKind>;

/// Without the lock of the interpreter: other threads of Python run meanwhile.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// With it again, on whichever thread.
class Locked {
 public:
  Locked() : state_(PyGILState_Ensure()) {}
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// What the function returns, computed while other threads of Python run.
template <class Function>
auto unlocked(Function&& function) {
  const Unlocked lock;
  return std::forward<Function>(function)();
}

/// The same where errors say which argument is wrong.
template <class Function>
auto naming(const std::string& argument, Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const Error& error) {
    throw Error(argument + ": " + error.what());
  }
}

/// The name of an object's type, for messages.
inline std::string type_name(py::handle value) {
  return Py_TYPE(value.ptr())->tp_name;
}

}  // namespace tandem::python

namespace pybind11::detail {

template <class Kind>
struct type_caster<tandem::python::Like<Kind>> {
  PYBIND11_TYPE_CASTER(tandem::python::Like<Kind>, Kind::k_name);

  bool load(handle source, bool) {
    value.value = source;
    return true;
  }
};

}  // namespace pybind11::detail
