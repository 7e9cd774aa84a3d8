#include "core/hdf5/hdf5_read.hpp"

#include "core/base/input_file.hpp"
#include "core/base/physical_memory.hpp"
#include "core/base/shortest_number.hpp"
#include "core/hdf5/hdf5_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <new>

namespace tessera::hdf5 {
namespace {

/// Limit on the elements of an attribute. Valid attributes are a few numbers or names.
constexpr long long most_of_an_attribute = 1 << 16;

std::string because(const std::string& what) {
  const std::string reason = last_error();
  return reason.empty() ? what : what + " (HDF5: " + reason + ")";
}

Element element_of(const Functions& f, hid_t type) {
  switch (f.H5Tget_class(type)) {
    case H5T_INTEGER:
      return Element::whole;
    case H5T_FLOAT:
      return Element::real;
    case H5T_STRING:
      return Element::text;
    default:
      return Element::other;
  }
}

}  // namespace

struct Object::OpenFile {
  Session session;
  std::string name;
  Handle handle;
};

struct Object::Attribute {
  Handle handle, type, space;
  long long count;
};

Object Object::root_of(const std::filesystem::path& path) {
  auto file = std::make_shared<OpenFile>();
  file->name = path.string();
  const Functions& f = functions();
  // HDF5's own errors for these cases are not understandable for users.
  if (!std::filesystem::is_regular_file(path) || !std::ifstream(path))
    throw InputError({file->name, 0, {}, {}}, std::filesystem::exists(path)
                                                  ? "expected a file that may be read"
                                                  : "no such file" + similar_file(path));
  f.H5Eclear2(H5E_DEFAULT);
  file->handle = Handle(f.H5Fopen(file->name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), f.H5Fclose);
  if (!file->handle.valid())
    throw InputError({file->name, 0, {}, {}}, because("expected a whole HDF5 file"));
  return {std::move(file), "/"};
}

Object::Object(std::shared_ptr<OpenFile> file, std::string path)
    : file_(std::move(file)), path_(std::move(path)) {
  const Functions& f = functions();
  handle_ = std::make_shared<Handle>(f.H5Oopen(file_->handle.id(), path_.c_str(), H5P_DEFAULT),
                                     f.H5Oclose);
  const int kind = handle_->valid() ? f.H5Iget_type(handle_->id()) : -1;
  if (kind != H5I_GROUP && kind != H5I_DATASET)
    throw error("", "", because("expected a group or a dataset that can be opened"));
  dataset_ = kind == H5I_DATASET;
}

InputError Object::error(const std::string& below, const std::string& value,
                         const std::string& expected) const {
  return {{file_->name, 0, path_of(below), value}, expected};
}

std::string Object::path_of(const std::string& below) const {
  if (below.empty()) return path_;
  return path_ == "/" ? path_ + below : path_ + "/" + below;
}

std::vector<std::string> Object::members() const {
  std::vector<std::string> names;
  if (dataset_) return names;
  const Functions& f = functions();
  H5G_info_t info{};
  if (f.H5Gget_info(handle_->id(), &info) < 0)
    throw error("", "", because("expected a group whose members can be listed"));
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const ssize_t length = f.H5Lget_name_by_idx(handle_->id(), ".", H5_INDEX_NAME, H5_ITER_INC, k,
                                                nullptr, 0, H5P_DEFAULT);
    if (length < 0) throw error("", "", because("expected a group whose members can be listed"));
    std::string name(static_cast<std::size_t>(length), '\0');
    f.H5Lget_name_by_idx(handle_->id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(),
                         name.size() + 1, H5P_DEFAULT);
    names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Object::has(const std::string& member) const {
  return !dataset_ && functions().H5Lexists(handle_->id(), member.c_str(), H5P_DEFAULT) > 0;
}

Object Object::member(const std::string& name) const {
  if (has(name)) return {file_, path_of(name)};
  const std::vector<std::string> there = members();
  const std::string near = nearest(name, there);
  throw error(name, "",
              "there is no such group or dataset, expected " +
                  (there.empty() ? "a member of a group that is empty"
                                 : "one of: " + fmt::format("{}", fmt::join(there, ", "))) +
                  (near.empty() ? "" : "; did you mean " + near + "?"));
}

bool Object::has_attribute(const std::string& name) const {
  return functions().H5Aexists(handle_->id(), name.c_str()) > 0;
}

Object::Attribute Object::attribute(const std::string& name) const {
  if (!has_attribute(name)) throw error(name, "", "there is no such attribute");
  const Functions& f = functions();
  Attribute attribute{{f.H5Aopen(handle_->id(), name.c_str(), H5P_DEFAULT), f.H5Aclose}, {}, {}, 0};
  if (attribute.handle.valid()) {
    attribute.type = {f.H5Aget_type(attribute.handle.id()), f.H5Tclose};
    attribute.space = {f.H5Aget_space(attribute.handle.id()), f.H5Sclose};
  }
  if (!attribute.type.valid() || !attribute.space.valid() ||
      (attribute.count = f.H5Sget_simple_extent_npoints(attribute.space.id())) < 0)
    throw error(name, "", because("expected an attribute that can be read"));
  if (attribute.count > most_of_an_attribute)
    throw error(name, std::to_string(attribute.count) + " elements",
                "expected an attribute of at most " + std::to_string(most_of_an_attribute));
  return attribute;
}

Element Object::attribute_element(const std::string& name) const {
  return element_of(functions(), attribute(name).type.id());
}

std::vector<double> Object::numbers(const std::string& name) const {
  const Functions& f = functions();
  const Attribute found = attribute(name);
  const Element element = element_of(f, found.type.id());
  if ((element != Element::real && element != Element::whole) ||
      f.H5Sget_simple_extent_ndims(found.space.id()) > 1)
    throw error(name, "", "expected a number, or an array of numbers in one dimension");
  std::vector<double> values(static_cast<std::size_t>(found.count));
  if (!values.empty() && f.H5Aread(found.handle.id(), f.H5T_NATIVE_DOUBLE_g, values.data()) < 0)
    throw error(name, "", because("expected an attribute that can be read"));
  for (const double value : values)
    if (!std::isfinite(value))
      throw error(name, shortest_number(value), "expected a finite number");
  return values;
}

double Object::number(const std::string& name) const {
  const std::vector<double> values = numbers(name);
  if (values.size() != 1)
    throw error(name, std::to_string(values.size()) + " numbers", "expected one number");
  return values.front();
}

std::string Object::text(const std::string& name) const {
  const Functions& f = functions();
  const Attribute found = attribute(name);
  const std::size_t size = f.H5Tget_size(found.type.id());
  if (element_of(f, found.type.id()) != Element::text || found.count != 1 ||
      size > static_cast<std::size_t>(most_of_an_attribute))
    throw error(name, "", "expected a text");
  // Reads with the type in the file, because HDF5 does not convert between ASCII and UTF-8.
  if (f.H5Tis_variable_str(found.type.id()) > 0) {
    char* place = nullptr;
    if (f.H5Aread(found.handle.id(), found.type.id(), &place) < 0)
      throw error(name, "", because("expected a text that can be read"));
    std::string value = place == nullptr ? "" : place;
    f.H5free_memory(place);
    return value;
  }
  std::string value(size, '\0');
  if (f.H5Aread(found.handle.id(), found.type.id(), value.data()) < 0)
    throw error(name, "", because("expected a text that can be read"));
  value.resize(std::min(value.find('\0'), value.size()));
  // Fortran pads text with spaces.
  value.resize(value.find_last_not_of(' ') + 1);
  return value;
}

std::vector<std::uint64_t> Object::extents() const {
  const Functions& f = functions();
  if (!dataset_) throw error("", "", "this is a group, expected a dataset");
  const Handle space(f.H5Dget_space(handle_->id()), f.H5Sclose);
  const int rank = space.valid() ? f.H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0) throw error("", "", because("expected a dataset whose extents can be read"));
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  f.H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

Element Object::element() const {
  const Functions& f = functions();
  if (!dataset_) throw error("", "", "this is a group, expected a dataset");
  const Handle type(f.H5Dget_type(handle_->id()), f.H5Tclose);
  return type.valid() ? element_of(f, type.id()) : Element::other;
}

template <class T>
std::vector<T> Object::elements(std::int64_t type) const {
  const std::vector<std::uint64_t> sizes = extents();
  if (sizes.size() != 1)
    throw error("", std::to_string(sizes.size()) + " dimensions", "expected one dimension");
  const auto memory = static_cast<std::uint64_t>(physical_memory_bytes());
  if (sizes[0] > memory / sizeof(T))
    throw error("", std::to_string(sizes[0]) + " elements",
                "expected at most " + std::to_string(memory / sizeof(T)) +
                    ", which fit in the memory of this machine");
  std::vector<T> values;
  try {
    values.resize(sizes[0]);
  } catch (const std::bad_alloc&) {
    throw error("", std::to_string(sizes[0]) + " elements", "they do not fit in memory");
  }
  if (!values.empty() &&
      functions().H5Dread(handle_->id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw error("", "", because("expected a dataset that can be read"));
  return values;
}

std::vector<double> Object::reals() const {
  const Element kind = element();
  if (kind != Element::real && kind != Element::whole)
    throw error("", "", "expected a dataset of numbers");
  return elements<double>(functions().H5T_NATIVE_DOUBLE_g);
}

std::vector<std::uint64_t> Object::counts() const {
  if (element() != Element::whole) throw error("", "", "expected a dataset of whole numbers");
  return elements<std::uint64_t>(functions().H5T_NATIVE_UINT64_g);
}

}  // namespace tessera::hdf5
