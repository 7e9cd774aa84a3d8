#include "core/hdf5/hdf5_write.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/hdf5/hdf5_session.hpp"

#include <algorithm>

namespace tessera::hdf5 {

NewObject::NewObject(const std::string* file, std::string path, Handle handle)
    : file_(file), path_(std::move(path)), handle_(std::make_shared<Handle>(std::move(handle))) {
  if (!handle_->valid()) fail("");
}

void NewObject::fail(const std::string& name) const {
  const std::string reason = last_error();
  throw FileError(*file_, "writing",
                  path_ + name + ": " + (reason.empty() ? "HDF5 refused" : "HDF5: " + reason));
}

NewObject NewObject::group(const std::string& name) const {
  const Functions& f = functions();
  return {file_, path_ + name + "/",
          Handle(f.H5Gcreate2(handle_->id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 f.H5Oclose)};
}

NewObject NewObject::dataset(const std::string& name, std::int64_t type,
                             const std::vector<std::uint64_t>& extents,
                             const void* elements) const {
  const Functions& f = functions();
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  const Handle space(f.H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                     f.H5Sclose);
  if (!space.valid()) fail(name);
  NewObject made(file_, path_ + name,
                 Handle(f.H5Dcreate2(handle_->id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT),
                        f.H5Dclose));
  const bool empty = std::find(sizes.begin(), sizes.end(), hsize_t{0}) != sizes.end();
  if (!empty && f.H5Dwrite(made.handle_->id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) < 0)
    fail(name);
  return made;
}

NewObject NewObject::dataset(const std::string& name, const std::vector<std::uint64_t>& extents,
                             const double* elements) const {
  return dataset(name, functions().H5T_NATIVE_DOUBLE_g, extents, elements);
}
NewObject NewObject::dataset(const std::string& name, const std::vector<std::uint64_t>& extents,
                             const float* elements) const {
  return dataset(name, functions().H5T_NATIVE_FLOAT_g, extents, elements);
}
NewObject NewObject::dataset(const std::string& name, const std::vector<std::uint64_t>& extents,
                             const std::uint64_t* elements) const {
  return dataset(name, functions().H5T_NATIVE_UINT64_g, extents, elements);
}

/// \param count length of a one-dimensional array; -1: a scalar.
void NewObject::attribute(const std::string& name, std::int64_t type, std::int64_t count,
                          const void* values) const {
  const Functions& f = functions();
  const auto size = static_cast<hsize_t>(count);
  const Handle space(count < 0 ? f.H5Screate(H5S_SCALAR) : f.H5Screate_simple(1, &size, nullptr),
                     f.H5Sclose);
  if (!space.valid()) fail(name);
  const Handle made(
      f.H5Acreate2(handle_->id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      f.H5Aclose);
  if (!made.valid() || f.H5Awrite(made.id(), type, values) < 0) fail(name);
}

void NewObject::attribute(const std::string& name, double value) const {
  attribute(name, functions().H5T_NATIVE_DOUBLE_g, -1, &value);
}
void NewObject::attribute(const std::string& name, float value) const {
  attribute(name, functions().H5T_NATIVE_FLOAT_g, -1, &value);
}
void NewObject::attribute(const std::string& name, std::uint32_t value) const {
  attribute(name, functions().H5T_NATIVE_UINT32_g, -1, &value);
}
void NewObject::attribute(const std::string& name, std::uint64_t value) const {
  attribute(name, functions().H5T_NATIVE_UINT64_g, -1, &value);
}
void NewObject::attribute(const std::string& name, const std::vector<double>& values) const {
  attribute(name, functions().H5T_NATIVE_DOUBLE_g, std::ssize(values), values.data());
}
void NewObject::attribute(const std::string& name, const std::vector<std::uint64_t>& values) const {
  attribute(name, functions().H5T_NATIVE_UINT64_g, std::ssize(values), values.data());
}

namespace {

Handle text_type(std::size_t size) {
  const Functions& f = functions();
  Handle type(f.H5Tcopy(f.H5T_C_S1_g), f.H5Tclose);
  // A string type of HDF5 has at least one byte.
  if (f.H5Tset_size(type.id(), std::max<std::size_t>(size, 1)) < 0 ||
      f.H5Tset_strpad(type.id(), H5T_STR_NULLPAD) < 0)
    return {};
  return type;
}

}  // namespace

void NewObject::attribute(const std::string& name, const std::string& value) const {
  const Handle type = text_type(value.size());
  if (!type.valid()) fail(name);
  attribute(name, type.id(), -1, value.c_str());
}

void NewObject::attribute(const std::string& name, const std::vector<std::string>& values) const {
  std::size_t longest = 1;
  for (const std::string& value : values)
    longest = std::max(longest, value.size());
  std::string all;
  for (const std::string& value : values)
    all += value + std::string(longest - value.size(), '\0');
  const Handle type = text_type(longest);
  if (!type.valid()) fail(name);
  attribute(name, type.id(), std::ssize(values), all.data());
}

struct NewFile::State {
  explicit State(const std::filesystem::path& path) : name(path.string()), part(path) {}

  Session session;
  std::string name;
  AtomicFile part;
  Handle handle;
};

NewFile::NewFile(const std::filesystem::path& path) {
  static_cast<void>(functions());
  state_ = std::make_unique<State>(path);
  const Functions& f = functions();
  f.H5Eclear2(H5E_DEFAULT);
  state_->handle =
      Handle(f.H5Fcreate(state_->part.part().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
             f.H5Fclose);
  if (!state_->handle.valid())
    throw FileError(state_->name, "opening for writing", "HDF5: " + last_error());
}

NewFile::~NewFile() = default;

NewObject NewFile::root() const {
  const Functions& f = functions();
  return {&state_->name, "/", Handle(f.H5Oopen(state_->handle.id(), "/", H5P_DEFAULT), f.H5Oclose)};
}

void NewFile::commit() {
  // HDF5 keeps the file open while objects of it are open. The flush makes the file complete in any
  // case.
  if (functions().H5Fflush(state_->handle.id(), H5F_SCOPE_GLOBAL) < 0 || !state_->handle.close())
    throw FileError(state_->name, "writing", "HDF5: " + last_error());
  state_->part.commit();
}

}  // namespace tessera::hdf5
