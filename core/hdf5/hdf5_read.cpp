#include "core/hdf5/hdf5_read.hpp"

#include "core/base/input_file.hpp"
#include "core/base/physical_memory.hpp"
#include "core/base/shortest_number.hpp"

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

Element element_of(const Functions& f, Id type) {
  switch (f.type_class(type)) {
    case integer_class:
      return Element::whole;
    case float_class:
      return Element::real;
    case string_class:
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
  f.clear_errors(defaults);
  file->handle = Handle(f.open_file(file->name.c_str(), read_only, defaults), f.close_file);
  if (!file->handle.valid())
    throw InputError({file->name, 0, {}, {}}, because("expected a whole HDF5 file"));
  return {std::move(file), "/"};
}

Object::Object(std::shared_ptr<OpenFile> file, std::string path)
    : file_(std::move(file)), path_(std::move(path)) {
  const Functions& f = functions();
  handle_ = std::make_shared<Handle>(f.open_object(file_->handle.id(), path_.c_str(), defaults),
                                     f.close_object);
  const int kind = handle_->valid() ? f.kind_of_id(handle_->id()) : -1;
  if (kind != group_id && kind != dataset_id)
    throw error("", "", because("expected a group or a dataset that can be opened"));
  dataset_ = kind == dataset_id;
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
  GroupInfo info{};
  if (f.group_info(handle_->id(), &info) < 0)
    throw error("", "", because("expected a group whose members can be listed"));
  for (Size k = 0; k < info.links; ++k) {
    const std::ptrdiff_t length =
        f.link_name(handle_->id(), ".", by_name, increasing, k, nullptr, 0, defaults);
    if (length < 0) throw error("", "", because("expected a group whose members can be listed"));
    std::string name(static_cast<std::size_t>(length), '\0');
    f.link_name(handle_->id(), ".", by_name, increasing, k, name.data(), name.size() + 1, defaults);
    names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Object::has(const std::string& member) const {
  return !dataset_ && functions().link_exists(handle_->id(), member.c_str(), defaults) > 0;
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
  return functions().attribute_exists(handle_->id(), name.c_str()) > 0;
}

Object::Attribute Object::attribute(const std::string& name) const {
  if (!has_attribute(name)) throw error(name, "", "there is no such attribute");
  const Functions& f = functions();
  Attribute attribute{
      {f.open_attribute(handle_->id(), name.c_str(), defaults), f.close_attribute}, {}, {}, 0};
  if (attribute.handle.valid()) {
    attribute.type = {f.attribute_type(attribute.handle.id()), f.close_type};
    attribute.space = {f.attribute_space(attribute.handle.id()), f.close_space};
  }
  if (!attribute.type.valid() || !attribute.space.valid() ||
      (attribute.count = f.space_points(attribute.space.id())) < 0)
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
  if ((element != Element::real && element != Element::whole) || f.space_rank(found.space.id()) > 1)
    throw error(name, "", "expected a number, or an array of numbers in one dimension");
  std::vector<double> values(static_cast<std::size_t>(found.count));
  if (!values.empty() && f.read_attribute(found.handle.id(), f.float64, values.data()) < 0)
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
  const std::size_t size = f.type_size(found.type.id());
  if (element_of(f, found.type.id()) != Element::text || found.count != 1 ||
      size > static_cast<std::size_t>(most_of_an_attribute))
    throw error(name, "", "expected a text");
  // Reads with the type of the file, because HDF5 does not convert between ASCII and UTF-8 text.
  if (f.is_variable_string(found.type.id()) > 0) {
    char* place = nullptr;
    if (f.read_attribute(found.handle.id(), found.type.id(), &place) < 0)
      throw error(name, "", because("expected a text that can be read"));
    std::string value = place == nullptr ? "" : place;
    f.free_memory(place);
    return value;
  }
  std::string value(size, '\0');
  if (f.read_attribute(found.handle.id(), found.type.id(), value.data()) < 0)
    throw error(name, "", because("expected a text that can be read"));
  value.resize(std::min(value.find('\0'), value.size()));
  // Fortran pads text with spaces.
  value.resize(value.find_last_not_of(' ') + 1);
  return value;
}

std::vector<std::uint64_t> Object::extents() const {
  const Functions& f = functions();
  if (!dataset_) throw error("", "", "this is a group, expected a dataset");
  const Handle space(f.dataset_space(handle_->id()), f.close_space);
  const int rank = space.valid() ? f.space_rank(space.id()) : -1;
  if (rank < 0) throw error("", "", because("expected a dataset whose extents can be read"));
  std::vector<Size> sizes(static_cast<std::size_t>(rank));
  f.space_extents(space.id(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

Element Object::element() const {
  const Functions& f = functions();
  if (!dataset_) throw error("", "", "this is a group, expected a dataset");
  const Handle type(f.dataset_type(handle_->id()), f.close_type);
  return type.valid() ? element_of(f, type.id()) : Element::other;
}

template <class T>
std::vector<T> Object::elements(Id type) const {
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
  if (!values.empty() && functions().read_dataset(handle_->id(), type, all_elements, all_elements,
                                                  defaults, values.data()) < 0)
    throw error("", "", because("expected a dataset that can be read"));
  return values;
}

std::vector<double> Object::reals() const {
  const Element kind = element();
  if (kind != Element::real && kind != Element::whole)
    throw error("", "", "expected a dataset of numbers");
  return elements<double>(functions().float64);
}

std::vector<std::uint64_t> Object::counts() const {
  if (element() != Element::whole) throw error("", "", "expected a dataset of whole numbers");
  return elements<std::uint64_t>(functions().uint64);
}

}  // namespace tessera::hdf5
