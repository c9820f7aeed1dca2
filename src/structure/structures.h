// The structures of a model: each is made once, when it is first needed, whichever thread asks.
//
// The structure room says how each structure is made of a mesh, or of other structures. It uses the
// builders and the trees; it knows nothing of traversals.
#pragma once

#include <tandem/engine.h>
#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "parallel/lock.h"

namespace tandem::detail {

class Structures;

/// How a structure is made: `static S make(const Structures&, const Progress&)`. Specialised beside
/// this file for each structure S, which has `bytes()`.
template <class S>
struct Recipe;

/// How a structure is fitted to new positions of the same triangles:
///
///   static S refit(const S& older, const Structures& now)
///   static double cost(const S& structure, const Mesh& mesh)    what queries cost grows with it
///
/// Specialised beside the recipes of those structures that have a shape to keep; all others are
/// made anew by their recipes, when they are asked for.
template <class S>
struct Refit;

template <class S>
concept Refittable = requires(const S& structure, const Structures& now, const Mesh& mesh) {
  { Refit<S>::refit(structure, now) } -> std::same_as<S>;
  { Refit<S>::cost(structure, mesh) } -> std::same_as<double>;
};

/// How the model's own structure is made. Names are those of the registry; an empty builder stands
/// for the structure's first one.
struct BuildPlan {
  std::string_view structure = {};
  std::string_view builder = {};
  int arity = 0;
  BoxtreeOptions boxtree = {};
  /// How many threads make it, where its builder can use them.
  int threads = 1;
};

/// A mesh and the structures made of it so far.
class Structures {
 public:
  Structures(Mesh mesh, const BuildPlan& own);
  /// For a mesh with the same triangles: fits what `older` has made to its vertices, or makes it
  /// anew where that would cost more than `rebuild_at` times what it cost when it was built.
  Structures(const Structures& older, Mesh mesh, double rebuild_at);
  ~Structures();
  Structures(const Structures&) = delete;
  Structures& operator=(const Structures&) = delete;

  const Mesh& mesh() const { return mesh_; }

  /// No other structures of this process have or had it; it is not 0.
  std::uint64_t identity() const { return identity_; }

  /// What the model was made for.
  const BuildPlan& own() const { return own_; }
  /// By which plan a structure is made: the model's own, or the defaults.
  BuildPlan plan_for(std::string_view structure) const {
    return structure == own_.structure ? own_ : BuildPlan{.structure = structure};
  }

  /// The structure S, which is made now unless it is there. Other threads that need it wait. When
  /// making it throws, the next caller tries again.
  template <class S>
  const S& get(const Progress& progress = nullptr) const {
    Slot& slot = slot_of(&k_key<S>);
    const void* made = slot.made.load(std::memory_order_acquire);
    if (made == nullptr) made = make<S>(slot, progress);
    return *static_cast<const S*>(made);
  }

  /// Of all structures made so far.
  std::size_t bytes() const;

  /// The most that a structure costs, relative to what it cost when it was built; at least 1.
  double wear() const;

 private:
  /// One structure. Slots are in a list that only grows, the model's own structure first, so that
  /// looking one up takes no lock.
  struct Slot {
    const void* key;
    std::atomic<Slot*> next = nullptr;
    Mutex making;
    std::atomic<const void*> made = nullptr;
    std::size_t bytes = 0;
    void (*destroy)(const void*) = nullptr;
    /// Fits the structure to the vertices of other structures; none for those that are made anew.
    void (*carry_over)(const Structures& now) = nullptr;
    /// Of one that was fitted: its cost, and that of the one that was built.
    double cost = 0;
    double built_cost = 0;
  };

  template <class S>
  static constexpr char k_key = 0;

  Slot& slot_of(const void* key) const {
    for (Slot* slot = first_.load(std::memory_order_acquire); slot != nullptr;
         slot = slot->next.load(std::memory_order_acquire)) {
      if (slot->key == key) return *slot;
    }
    return add_slot(key);
  }
  Slot& add_slot(const void* key) const;

  template <class S>
  const void* make(Slot& slot, const Progress& progress) const {
    const std::lock_guard lock(slot.making);
    if (const void* made = slot.made.load(std::memory_order_relaxed)) return made;
    std::unique_ptr<const S> structure;
    if constexpr (Refittable<S>) {
      slot.carry_over = [](const Structures& now) { now.get<S>(); };
      if (older_ != nullptr) structure = refit<S>(slot);
    }
    if (structure == nullptr) {
      structure = std::make_unique<const S>(Recipe<S>::make(*this, progress));
    }
    slot.bytes = structure->bytes();
    slot.destroy = [](const void* made) { delete static_cast<const S*>(made); };
    slot.made.store(structure.get(), std::memory_order_release);
    return structure.release();
  }

  /// The structure of the older version with its shape; null where there is none, or where it would
  /// cost too much.
  template <class S>
  std::unique_ptr<const S> refit(Slot& slot) const {
    const Slot& older_slot = older_->slot_of(&k_key<S>);
    const void* const made = older_slot.made.load(std::memory_order_acquire);
    if (made == nullptr) return nullptr;
    const S& older = *static_cast<const S*>(made);
    const double built_cost =
        older_slot.built_cost > 0 ? older_slot.built_cost : Refit<S>::cost(older, older_->mesh());
    auto structure = std::make_unique<const S>(Refit<S>::refit(older, *this));
    const double cost = Refit<S>::cost(*structure, mesh_);
    if (cost > rebuild_at_ * built_cost) return nullptr;
    slot.cost = cost;
    slot.built_cost = built_cost;
    return structure;
  }

  Mesh mesh_;
  BuildPlan own_;
  std::uint64_t identity_;
  /// While a new version is made of an older one.
  const Structures* older_ = nullptr;
  double rebuild_at_ = 0;
  mutable std::atomic<Slot*> first_ = nullptr;
  mutable Mutex adding_;
};

}  // namespace tandem::detail
