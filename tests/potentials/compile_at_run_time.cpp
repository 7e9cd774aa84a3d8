#include <nvrtc.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

/// \file
/// Compiles the header of each pair potential, after the header of the functions that potentials
/// call, with the run-time compiler of CUDA, without includes and with only the macro that marks
/// functions. Needs no GPU.
///
///     compile_forms_at_run_time FUNCTIONS HEADER TYPE [HEADER TYPE ...]

namespace {

/// A kernel that calls the form in one precision.
std::string kernel(const std::string& type, const std::string& real) {
  const std::string potential = "tessera::md::potentials::" + type;
  return "struct Distance_" + real + " { " + real + " r; __device__ " + real +
         " squared() const { return r * r; } __device__ " + real +
         " inverse_squared() const { return 1 / (r * r); } __device__ " + real +
         " inverse() const { return 1 / r; } __device__ " + real +
         " length() const { return r; } };\nstruct Atom_" + real + " { " + real +
         " charge; };\nextern \"C\" __global__ void pair_" + real + "(const " + real + "* in, " +
         real + "* out) {\n  using namespace tessera::md::potentials;\n  " + real + " c[" +
         potential + "::width];\n  " + potential + "::pack(in + 3, c);\n  " + potential +
         "{}.at(Distance_" + real + "{in[0]}, pair_numbers<HasSamples<" + potential +
         ">::value>(c, in), Atom_" + real + "{in[1]}, Atom_" + real +
         "{in[2]}, out[0], out[1]);\n}\n";
}

std::string text_of(const std::string& header) {
  std::ifstream file(header);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) std::fprintf(stderr, "%s: cannot be read\n", header.c_str());
  return text;
}

bool compiles(const std::string& functions, const std::string& header, const std::string& type) {
  const std::string potential = text_of(header);
  if (functions.empty() || potential.empty()) return false;
  std::string source = functions + potential;
  source += kernel(type, "float") + kernel(type, "double");
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.c_str(), header.c_str(), 0, nullptr, nullptr) !=
      NVRTC_SUCCESS)
    return false;
  const char* const options[] = {"-DTESSERA_INLINE=__device__ __forceinline__",
                                 "--gpu-architecture=compute_90", "--std=c++17", "-default-device"};
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
  const std::string functions = good ? text_of(argv[1]) : "";
  for (int a = 2; a + 1 < argc; a += 2)
    good = compiles(functions, argv[a], argv[a + 1]) && good;
  return good ? 0 : 1;
}
