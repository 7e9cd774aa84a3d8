#include <nvrtc.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

/// \file
/// Compiles the header of each pair potential, after the headers of the functions that potentials
/// call, with the run-time compiler of CUDA, without includes and with only the macro that marks
/// functions. Needs no GPU.
///
///     compile_forms_at_run_time ROOT HEADER TYPE [HEADER TYPE ...]

namespace {

/// A function that calls any potential, and kernels that call it in both precisions.
constexpr const char* call_of_potential = R"(
template <class Real>
struct Separation {
  Real r;
  __device__ Real squared() const { return r * r; }
  __device__ Real inverse_squared() const { return 1 / (r * r); }
  __device__ Real inverse() const { return 1 / r; }
  __device__ Real length() const { return r; }
  __device__ tessera::md::potentials::Vector<Real> vector() const { return {r, 0, 0}; }
};
template <class Potential, class Real>
__device__ void evaluate(const Real* in, Real* out) {
  using namespace tessera::md::potentials;
  Real c[Potential::traits.width];
  Potential::pack(in + 1, c);
  const auto numbers = pair_numbers<Potential::traits.samples>(c, in);
  const auto i = atom_values<Real>(Potential{}, [&](int k) { return in[k]; });
  const auto j = atom_values<Real>(Potential{}, [&](int k) { return in[k + 8]; });
  if constexpr (Potential::traits.central) {
    Potential{}.at(Separation<Real>{in[0]}, numbers, i, j, out[0], out[1]);
  } else {
    PairResult<Real> result;
    Potential{}.at(Separation<Real>{in[0]}, numbers, i, j, result);
    out[0] = result.force.x + result.torque_i.x + result.torque_j.x;
    out[1] = result.energy;
  }
}
)";

std::string kernel(const std::string& type, const std::string& real) {
  return "extern \"C\" __global__ void pair_" + real + "(const " + real + "* in, " + real +
         "* out) { evaluate<tessera::md::potentials::" + type + ">(in, out); }\n";
}

std::string text_of(const std::string& header) {
  std::ifstream file(header);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) std::fprintf(stderr, "%s: cannot be read\n", header.c_str());
  return text;
}

/// The headers that every potential gets, in the order of their includes.
constexpr const char* functions = "physics/md/pair_potential/potential_functions.hpp";
constexpr const char* traits = "physics/md/pair_potential/potential_traits.hpp";

bool compiles(const std::string& root, const std::string& header, const std::string& type) {
  const std::string potential = text_of(header);
  const std::string before = text_of(root + '/' + functions);
  const std::string first = text_of(root + '/' + traits);
  if (before.empty() || first.empty() || potential.empty()) return false;
  const char* const text = first.c_str();
  std::string source = before + potential + call_of_potential;
  source += kernel(type, "float") + kernel(type, "double");
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.c_str(), header.c_str(), 1, &text, &traits) !=
      NVRTC_SUCCESS)
    return false;
  const char* const options[] = {"-DTESSERA_INLINE=__device__ __forceinline__",
                                 "--gpu-architecture=compute_90", "--std=c++20", "-default-device"};
  const bool good = nvrtcCompileProgram(program, 4, options) == NVRTC_SUCCESS;
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::printf("%s: %s\n%s", header.c_str(), good ? "compiled" : "FAILED", good ? "" : log.c_str());
  nvrtcDestroyProgram(&program);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  bool good = argc > 3;
  for (int a = 2; a + 1 < argc; a += 2)
    good = compiles(argv[1], argv[a], argv[a + 1]) && good;
  return good ? 0 : 1;
}
