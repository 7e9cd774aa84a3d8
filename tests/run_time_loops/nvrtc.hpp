#ifndef TESSERA_TESTS_RUN_TIME_LOOPS_NVRTC_HPP
#define TESSERA_TESTS_RUN_TIME_LOOPS_NVRTC_HPP

#include <set>
#include <string>
#include <vector>

/// \file
/// The run-time compiler of CUDA, loaded when it is needed, and the headers that a kernel needs.

namespace tessera::test {

/// A kernel: the headers of the project that its text includes, and a name expression.
struct KernelText {
  std::vector<std::string> headers;  ///< by their paths from the root
  std::string expression;
};

/// All headers of the project that a text includes, directly or not.
struct Headers {
  std::vector<std::string> names;  ///< by their paths from the root
  std::vector<std::string> texts;
  std::set<std::string> standard;  ///< headers in angle brackets
  int lines = 0;
};
/// \throws std::runtime_error where a header cannot be read.
[[nodiscard]] Headers headers_of(const std::string& root, const std::vector<std::string>& first);

/// Machine code, and the name of the kernel in it.
struct CompiledKernel {
  std::string code;
  std::string name;
};

class Nvrtc {
 public:
  /// \param library path of the library; where it is missing, the names that a system has.
  explicit Nvrtc(const std::string& library);
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;
  ~Nvrtc();

  /// Reason why there is no compiler; empty where there is one.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// \param architecture as "sm_90".
  /// \throws std::runtime_error with the messages of the compiler.
  [[nodiscard]] CompiledKernel compile(const Headers& headers, const KernelText& kernel,
                                       const std::string& architecture) const;

 private:
  [[nodiscard]] void* function(const char* name) const;

  void* library_ = nullptr;
  std::string missing_;
};

/// A kernel of forces in mixed precision, for lj/cut and one type, of each of cuda.list,
/// cuda.cluster and cuda.patch.
[[nodiscard]] KernelText list_kernel();
[[nodiscard]] KernelText cluster_kernel();
[[nodiscard]] KernelText patch_kernel();

}  // namespace tessera::test

#endif  // TESSERA_TESTS_RUN_TIME_LOOPS_NVRTC_HPP
