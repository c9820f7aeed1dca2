#include "structure/structures.h"

#include <algorithm>

namespace tandem::detail {
namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Structures::Structures(Mesh mesh, const BuildPlan& own)
    : mesh_(std::move(mesh)), own_(own), identity_(next_identity()) {}

Structures::Structures(const Structures& older, Mesh mesh, double rebuild_at)
    : Structures(std::move(mesh), older.own_) {
  older_ = &older;
  rebuild_at_ = rebuild_at;
  for (const Slot* slot = older.first_.load(std::memory_order_acquire); slot != nullptr;
       slot = slot->next.load(std::memory_order_acquire)) {
    if (slot->made.load(std::memory_order_acquire) != nullptr && slot->carry_over != nullptr) {
      slot->carry_over(*this);
    }
  }
  // The older version may go: nothing refers to it any more.
  older_ = nullptr;
}

Structures::~Structures() {
  for (Slot* slot = first_.load(); slot != nullptr;) {
    if (slot->made != nullptr) slot->destroy(slot->made);
    delete std::exchange(slot, slot->next.load());
  }
}

Structures::Slot& Structures::add_slot(const void* key) const {
  const std::lock_guard lock(adding_);
  std::atomic<Slot*>* end = &first_;
  for (Slot* slot = end->load(); slot != nullptr; slot = end->load()) {
    // Another thread was faster.
    if (slot->key == key) return *slot;
    end = &slot->next;
  }
  auto added = std::make_unique<Slot>();
  added->key = key;
  end->store(added.get(), std::memory_order_release);
  return *added.release();
}

std::size_t Structures::bytes() const {
  std::size_t sum = 0;
  for (const Slot* slot = first_.load(std::memory_order_acquire); slot != nullptr;
       slot = slot->next.load(std::memory_order_acquire)) {
    if (slot->made.load(std::memory_order_acquire) != nullptr) sum += slot->bytes;
  }
  return sum;
}

double Structures::wear() const {
  double most = 1;
  for (const Slot* slot = first_.load(std::memory_order_acquire); slot != nullptr;
       slot = slot->next.load(std::memory_order_acquire)) {
    if (slot->made.load(std::memory_order_acquire) != nullptr && slot->built_cost > 0) {
      most = std::max(most, slot->cost / slot->built_cost);
    }
  }
  return most;
}

}  // namespace tandem::detail
