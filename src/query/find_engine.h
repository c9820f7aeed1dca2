// The engine that a query between two models runs on.
#pragma once

#include <tandem/engine.h>
#include <tandem/model.h>
#include <tandem/pose.h>

#include "engine/tandem_engine.h"

namespace tandem::detail {

/// What the engine names, the models' own structure where it names none. Throws `tandem::Error`
/// when there is no such engine, or when the models were made for different structures.
const TandemEngine& find_engine(const Model& a, const Model& b, const Pose& b_in_a,
                                const Engine& engine);

/// The triangle test that it names; the exact one by default.
TriangleTestKind triangle_test_of(const Engine& engine);

}  // namespace tandem::detail
