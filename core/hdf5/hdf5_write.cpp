#include "core/hdf5/hdf5_write.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"

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
          Handle(f.create_group(handle_->id(), name.c_str(), defaults, defaults, defaults),
                 f.close_object)};
}

NewObject NewObject::dataset(const std::string& name, Id type,
                             const std::vector<std::uint64_t>& extents,
                             const void* elements) const {
  const Functions& f = functions();
  const std::vector<Size> sizes(extents.begin(), extents.end());
  const Handle space(f.create_simple_space(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                     f.close_space);
  if (!space.valid()) fail(name);
  NewObject made(file_, path_ + name,
                 Handle(f.create_dataset(handle_->id(), name.c_str(), type, space.id(), defaults,
                                         defaults, defaults),
                        f.close_dataset));
  const bool empty = std::find(sizes.begin(), sizes.end(), Size{0}) != sizes.end();
  if (!empty &&
      f.write_dataset(made.handle_->id(), type, all_elements, all_elements, defaults, elements) < 0)
    fail(name);
  return made;
}

NewObject NewObject::dataset(const std::string& name, const std::vector<std::uint64_t>& extents,
                             const double* elements) const {
  return dataset(name, functions().float64, extents, elements);
}
NewObject NewObject::dataset(const std::string& name, const std::vector<std::uint64_t>& extents,
                             const float* elements) const {
  return dataset(name, functions().float32, extents, elements);
}
NewObject NewObject::dataset(const std::string& name, const std::vector<std::uint64_t>& extents,
                             const std::uint64_t* elements) const {
  return dataset(name, functions().uint64, extents, elements);
}

/// \param count length of a one-dimensional array, -1 for a scalar.
void NewObject::attribute(const std::string& name, Id type, std::int64_t count,
                          const void* values) const {
  const Functions& f = functions();
  const auto size = static_cast<Size>(count);
  const Handle space(
      count < 0 ? f.create_space(scalar_space) : f.create_simple_space(1, &size, nullptr),
      f.close_space);
  if (!space.valid()) fail(name);
  const Handle made(
      f.create_attribute(handle_->id(), name.c_str(), type, space.id(), defaults, defaults),
      f.close_attribute);
  if (!made.valid() || f.write_attribute(made.id(), type, values) < 0) fail(name);
}

void NewObject::attribute(const std::string& name, double value) const {
  attribute(name, functions().float64, -1, &value);
}
void NewObject::attribute(const std::string& name, float value) const {
  attribute(name, functions().float32, -1, &value);
}
void NewObject::attribute(const std::string& name, std::uint32_t value) const {
  attribute(name, functions().uint32, -1, &value);
}
void NewObject::attribute(const std::string& name, std::uint64_t value) const {
  attribute(name, functions().uint64, -1, &value);
}
void NewObject::attribute(const std::string& name, const std::vector<double>& values) const {
  attribute(name, functions().float64, std::ssize(values), values.data());
}
void NewObject::attribute(const std::string& name, const std::vector<std::uint64_t>& values) const {
  attribute(name, functions().uint64, std::ssize(values), values.data());
}

namespace {

Handle text_type(std::size_t size) {
  const Functions& f = functions();
  Handle type(f.copy_type(f.text), f.close_type);
  // Types of HDF5 have at least one byte.
  if (f.set_type_size(type.id(), std::max<std::size_t>(size, 1)) < 0 ||
      f.set_string_padding(type.id(), null_padded) < 0)
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
  f.clear_errors(defaults);
  state_->handle =
      Handle(f.create_file(state_->part.part().c_str(), replace, defaults, defaults), f.close_file);
  if (!state_->handle.valid())
    throw FileError(state_->name, "opening for writing", "HDF5: " + last_error());
}

NewFile::~NewFile() = default;

NewObject NewFile::root() const {
  const Functions& f = functions();
  return {&state_->name, "/",
          Handle(f.open_object(state_->handle.id(), "/", defaults), f.close_object)};
}

void NewFile::commit() {
  // HDF5 delays closing a file until its objects are closed; after the flush the file is complete.
  if (functions().flush(state_->handle.id(), whole_file) < 0 || !state_->handle.close())
    throw FileError(state_->name, "writing", "HDF5: " + last_error());
  state_->part.commit();
}

}  // namespace tessera::hdf5
