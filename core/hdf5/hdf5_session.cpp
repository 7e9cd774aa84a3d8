#include "core/hdf5/hdf5_session.hpp"

#include <string_view>

namespace tessera::hdf5 {
namespace {

std::recursive_mutex& turns() {
  static std::recursive_mutex mutex;
  return mutex;
}

herr_t take_first(unsigned depth, const H5E_error2_t* entry, void* into) {
  if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(into) = entry->desc;
  return 0;
}

}  // namespace

Session::Session() : turn_(turns()) {
  const Functions& f = functions();
  f.H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  f.H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  functions().H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

std::string last_error() {
  std::string reason;
  functions().H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  // HDF5 adds the time, buffers and offsets of a failed system call. Keeps only the error message.
  constexpr std::string_view before = "error message = '";
  if (const std::size_t at = reason.find(before); at != std::string::npos) {
    const std::size_t first = at + before.size();
    return reason.substr(first, reason.find('\'', first) - first);
  }
  return reason;
}

}  // namespace tessera::hdf5
