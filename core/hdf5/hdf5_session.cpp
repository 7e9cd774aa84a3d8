#include "core/hdf5/hdf5_session.hpp"

#include <string_view>

namespace tessera::hdf5 {
namespace {

std::recursive_mutex& turns() {
  static std::recursive_mutex mutex;
  return mutex;
}

Status take_first(unsigned depth, const StackEntry* entry, void* into) {
  if (depth == 0 && entry->description != nullptr)
    *static_cast<std::string*>(into) = entry->description;
  return 0;
}

}  // namespace

Session::Session() : turn_(turns()) {
  const Functions& f = functions();
  f.get_print_errors(defaults, &print_, &data_);
  f.set_print_errors(defaults, nullptr, nullptr);
}

Session::~Session() {
  functions().set_print_errors(defaults, print_, data_);
}

std::string last_error() {
  std::string reason;
  functions().walk_errors(defaults, upward, take_first, &reason);
  // HDF5 appends time, buffers and offsets of a failed system call, which the message omits.
  constexpr std::string_view before = "error message = '";
  if (const std::size_t at = reason.find(before); at != std::string::npos) {
    const std::size_t first = at + before.size();
    return reason.substr(first, reason.find('\'', first) - first);
  }
  return reason;
}

}  // namespace tessera::hdf5
