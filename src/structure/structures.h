// The structures of a model: each is made once, when it is first needed, whichever thread asks.
//
// The structure room says how each structure is made of a mesh, or of other structures. It uses the
// builders and the trees; it knows nothing of traversals.
#pragma once

#include <tandem/engine.h>
#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace tandem::detail {

class Structures;

/// How a structure is made: `static S make(const Structures&, const Progress&)`. Specialised beside
/// this file for each structure S, which has `bytes()`.
template <class S>
struct Recipe;

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
  Structures(Mesh mesh, const BuildPlan& own) : mesh_(std::move(mesh)), own_(own) {}
  ~Structures();
  Structures(const Structures&) = delete;
  Structures& operator=(const Structures&) = delete;

  const Mesh& mesh() const { return mesh_; }

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

 private:
  /// One structure. Slots are in a list that only grows, the model's own structure first, so that
  /// looking one up takes no lock.
  struct Slot {
    const void* key;
    std::atomic<Slot*> next = nullptr;
    std::mutex making;
    std::atomic<const void*> made = nullptr;
    std::size_t bytes = 0;
    void (*destroy)(const void*) = nullptr;
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
    auto structure = std::make_unique<const S>(Recipe<S>::make(*this, progress));
    slot.bytes = structure->bytes();
    slot.destroy = [](const void* made) { delete static_cast<const S*>(made); };
    slot.made.store(structure.get(), std::memory_order_release);
    return structure.release();
  }

  Mesh mesh_;
  BuildPlan own_;
  mutable std::atomic<Slot*> first_ = nullptr;
  mutable std::mutex adding_;
};

}  // namespace tandem::detail
