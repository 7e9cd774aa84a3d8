#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_QUEUE_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_QUEUE_HPP

#include <functional>
#include <utility>
#include <vector>

/// \file
/// The queue of the emulated device. Work runs when it is submitted, unless the queue records it.

namespace tessera::emulated {

using Works = std::vector<std::function<void()>>;

struct Queue {
  Works* recorded = nullptr;  ///< where work is recorded; null: work runs at once
};

/// \param queue null: the queue of work that is never recorded.
inline void submit(Queue* queue, std::function<void()> work) {
  if (queue != nullptr && queue->recorded != nullptr)
    queue->recorded->push_back(std::move(work));
  else
    work();
}

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_QUEUE_HPP
