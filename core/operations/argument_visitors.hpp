#ifndef TESSERA_CORE_OPERATIONS_ARGUMENT_VISITORS_HPP
#define TESSERA_CORE_OPERATIONS_ARGUMENT_VISITORS_HPP

#include <cstddef>
#include <cstdint>

/// \file
/// Visitors of declared arguments (`for_each_argument`, argument_check.hpp) other than
/// ArgumentCheck.

namespace tessera {

enum class ArgumentKind {
  array,         ///< an array whose extents follow from the problem
  at_most_rows,  ///< an array that may also have fewer rows than the problem
  any_rows,      ///< an array of any length
  at_least,      ///< an output that may have more elements than the problem
  output,        ///< an output, which prepare() does not use
  host_array     ///< an array in host memory
};

/// A visitor that does nothing: base of those that use some functions only.
struct ArgumentVisitor {
  template <class View, int Rank>
  void array(const char*, View&, const std::int64_t (&)[Rank]) {}
  template <class View, int Rank>
  void optional(const char*, View&, const std::int64_t (&)[Rank]) {}
  template <class View, int Rank>
  void at_most_rows(const char*, View&, const std::int64_t (&)[Rank]) {}
  template <class View>
  void any_rows(const char*, View&) {}
  template <class View, int Rank>
  void output(const char*, View&, const std::int64_t (&)[Rank]) {}
  template <class View>
  void at_least(const char*, View&, std::int64_t) {}
  template <class View>
  void optional_at_least(const char*, View&, std::int64_t) {}
  template <class View, int Rank>
  void host_array(const char*, View&, const std::int64_t (&)[Rank]) {}
  template <class View, class Other>
  void no_overlap(const char*, View&, const char*, Other&) {}
  template <class View>
  void indices(const char*, View&, std::int64_t, bool = false) {}
  template <class View>
  void not_negative(const char*, View&) {}
  template <class Number>
  void finite(const char*, Number&) {}
  template <class Value, class T, std::size_t count>
  void choice(const char*, Value&, const T (&)[count], const char*) {}
};

/// Calls `visit(name, view, kind)` for each array.
template <class Visit>
struct EachArray : ArgumentVisitor {
  explicit EachArray(const Visit& given) : visit(given) {}

  template <class View, int Rank>
  void array(const char* name, View& view, const std::int64_t (&)[Rank]) {
    visit(name, view, ArgumentKind::array);
  }
  template <class View, int Rank>
  void optional(const char* name, View& view, const std::int64_t (&)[Rank]) {
    visit(name, view, ArgumentKind::array);
  }
  template <class View, int Rank>
  void at_most_rows(const char* name, View& view, const std::int64_t (&)[Rank]) {
    visit(name, view, ArgumentKind::at_most_rows);
  }
  template <class View>
  void any_rows(const char* name, View& view) {
    visit(name, view, ArgumentKind::any_rows);
  }
  template <class View, int Rank>
  void output(const char* name, View& view, const std::int64_t (&)[Rank]) {
    visit(name, view, ArgumentKind::output);
  }
  template <class View>
  void at_least(const char* name, View& view, std::int64_t) {
    visit(name, view, ArgumentKind::at_least);
  }
  template <class View>
  void optional_at_least(const char* name, View& view, std::int64_t) {
    visit(name, view, ArgumentKind::at_least);
  }
  template <class View, int Rank>
  void host_array(const char* name, View& view, const std::int64_t (&)[Rank]) {
    visit(name, view, ArgumentKind::host_array);
  }

  const Visit& visit;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_ARGUMENT_VISITORS_HPP
