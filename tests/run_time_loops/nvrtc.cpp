#include "tests/run_time_loops/nvrtc.hpp"

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace tessera::test {
namespace {

/// The parts of the headers of the standard that kernels use, which the run-time compiler lacks.
const std::map<std::string, std::string>& standard_headers() {
  static const std::map<std::string, std::string> headers{
      {"cmath", ""},
      {"cstddef", "#pragma once\nnamespace std { using size_t = decltype(sizeof 0); }\n"},
      {"cstdint", R"(#pragma once
namespace std {
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;
using uintptr_t = unsigned long;
}
)"},
      {"type_traits", R"(#pragma once
namespace std {
template <class, class> inline constexpr bool is_same_v = false;
template <class T> inline constexpr bool is_same_v<T, T> = true;
template <class> inline constexpr bool is_const_v = false;
template <class T> inline constexpr bool is_const_v<const T> = true;
template <class T> struct Plain { using type = T; };
template <class T> struct Plain<const T> { using type = T; };
template <class T> using remove_const_t = typename Plain<T>::type;
template <bool, class T, class> struct Either { using type = T; };
template <class T, class U> struct Either<false, T, U> { using type = U; };
template <bool First, class T, class U> using conditional_t = typename Either<First, T, U>::type;
}
)"}};
  return headers;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) throw std::runtime_error("cannot read '" + path + "'");
  return text;
}

/// Names in the includes of a text, between two characters.
std::vector<std::string> includes(const std::string& text, char open, char close) {
  const std::string mark = std::string("#include ") + open;
  std::vector<std::string> names;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    names.push_back(text.substr(at, text.find(close, at) - at));
  }
  return names;
}

constexpr int success = 0;

}  // namespace

Headers headers_of(const std::string& root, const std::vector<std::string>& first) {
  Headers found;
  std::vector<std::string> open = first;
  while (!open.empty()) {
    const std::string name = open.front();
    open.erase(open.begin());
    if (std::find(found.names.begin(), found.names.end(), name) != found.names.end()) continue;
    found.names.push_back(name);
    const std::string text = text_of(root + '/' + name);
    found.lines += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    // NVRTC does not see the headers of the emulated device and of HIP.
    for (const std::string& next : includes(text, '"', '"'))
      if (!next.starts_with("backends/emulated/") && !next.starts_with("backends/hip/"))
        open.push_back(next);
    for (const std::string& next : includes(text, '<', '>'))
      found.standard.insert(next);
    found.texts.push_back(text);
  }
  return found;
}

Nvrtc::Nvrtc(const std::string& library) {
  for (const std::string& name : {library, std::string("libnvrtc.so"),
                                  std::string("libnvrtc.so.13"), std::string("libnvrtc.so.12")})
    if (!name.empty() && library_ == nullptr) library_ = dlopen(name.c_str(), RTLD_NOW);
  if (library_ == nullptr) missing_ = "libnvrtc was not found";
}

Nvrtc::~Nvrtc() {
  if (library_ != nullptr) dlclose(library_);
}

void* Nvrtc::function(const char* name) const {
  void* const found = dlsym(library_, name);
  if (found == nullptr) throw std::runtime_error(std::string("libnvrtc lacks ") + name);
  return found;
}

CompiledKernel Nvrtc::compile(const Headers& headers, const KernelText& kernel,
                              const std::string& architecture) const {
  using Program = void*;
  const auto create =
      reinterpret_cast<int (*)(Program*, const char*, const char*, int, const char* const*,
                               const char* const*)>(function("nvrtcCreateProgram"));
  const auto add_name =
      reinterpret_cast<int (*)(Program, const char*)>(function("nvrtcAddNameExpression"));
  const auto compile =
      reinterpret_cast<int (*)(Program, int, const char* const*)>(function("nvrtcCompileProgram"));
  const auto lowered = reinterpret_cast<int (*)(Program, const char*, const char**)>(
      function("nvrtcGetLoweredName"));
  const auto destroy = reinterpret_cast<int (*)(Program*)>(function("nvrtcDestroyProgram"));
  const auto get = [&](Program program, const char* size_function, const char* text_function) {
    std::size_t size = 0;
    reinterpret_cast<int (*)(Program, std::size_t*)>(function(size_function))(program, &size);
    std::string text(size, '\0');
    reinterpret_cast<int (*)(Program, char*)>(function(text_function))(program, text.data());
    return text;
  };

  std::string source;
  for (const std::string& header : kernel.headers)
    source += "#include \"" + header + "\"\n";
  std::vector<const char*> names;
  std::vector<const char*> texts;
  for (std::size_t h = 0; h < headers.names.size(); ++h) {
    names.push_back(headers.names[h].c_str());
    texts.push_back(headers.texts[h].c_str());
  }
  for (const auto& [name, text] : standard_headers()) {
    names.push_back(name.c_str());
    texts.push_back(text.c_str());
  }
  Program program = nullptr;
  const std::string target = "--gpu-architecture=" + architecture;
  // Functions for the host stand in the headers too, and count as functions for the device.
  const char* const options[] = {target.c_str(), "--std=c++20", "-default-device"};
  if (create(&program, source.c_str(), "pair_loop.cu", static_cast<int>(names.size()), texts.data(),
             names.data()) != success)
    throw std::runtime_error("libnvrtc cannot make a program");
  add_name(program, kernel.expression.c_str());
  if (compile(program, 3, options) != success) {
    const std::string log = get(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
    destroy(&program);
    throw std::runtime_error(log);
  }
  const char* name = nullptr;
  lowered(program, kernel.expression.c_str(), &name);
  CompiledKernel compiled{get(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN"),
                          name == nullptr ? "" : name};
  destroy(&program);
  return compiled;
}

namespace {

/// \param last header of the kernel.
std::vector<std::string> with_potential(const std::string& last) {
  return {"core/base/device_code.hpp", "physics/md/pair_potential/potential_traits.hpp",
          "physics/md/potentials/lj_cut.hpp", "backends/gpu/pair_common/fixed_point.cuh", last};
}

constexpr const char* potential = "tessera::md::potentials::LjCut";
constexpr const char* coordinates = "tessera::gpu::pair_common::FixedPoint";

}  // namespace

KernelText list_kernel() {
  const std::string in = "tessera::gpu::pair_force_list::";
  return {with_potential("backends/gpu/pair_force_list/pair_forces.cuh"),
          in + "pair_forces<1, 1, " + in + "ListLayout::of_warp, " + in + "PotentialLoop<" +
              potential + ", " + coordinates + ", double>>"};
}

KernelText cluster_kernel() {
  const std::string in = "tessera::gpu::pair_force_cluster::";
  return {with_potential("backends/gpu/pair_force_cluster/cluster_forces.cuh"),
          in + "cluster_forces<true, false, false, " + in + "PotentialLoop<" + potential + ", " +
              in + "StoredPositions<" + coordinates + ">, " + in + "OwnNumbers<" + potential +
              ", float>, " + coordinates + ", double>>"};
}

KernelText patch_kernel() {
  const std::string in = "tessera::gpu::pair_force_patch::";
  return {with_potential("backends/gpu/pair_force_patch/patch_forces.cuh"),
          in + "patch_forces<1, true, false, " + in + "PotentialLoop<" + potential + ", " +
              coordinates + ", double>>"};
}

}  // namespace tessera::test
