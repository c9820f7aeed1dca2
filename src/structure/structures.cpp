#include "structure/structures.h"

namespace tandem::detail {

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

}  // namespace tandem::detail
