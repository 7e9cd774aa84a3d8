#ifndef TESSERA_CORE_BASE_ERROR_HPP
#define TESSERA_CORE_BASE_ERROR_HPP

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// One exception type for each class of failure, with the data of the failure as members. Every
/// `what()` is a single line that can be shown to a user unchanged: control bytes are escaped and
/// long values are cut (core/base/printable.hpp). The data members are neither escaped nor cut.

namespace tessera {

/// Base class of every exception that Tessera throws on purpose.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
};

/// Invalid user input in a case file, a data file or an option. `what()` reads `file:line: field =
/// value: expected ...` without the empty parts.
class InputError : public Error {
 public:
  struct Where {
    std::string file;       ///< path as the user wrote it, empty when the input is not from a file
    std::int64_t line = 0;  ///< 1-based, 0 when unknown
    std::string field;      ///< key, section or column
    std::string value;      ///< offending text
  };

  InputError(Where where, std::string expected);

  [[nodiscard]] const Where& where() const noexcept { return where_; }
  [[nodiscard]] const std::string& expected() const noexcept { return expected_; }

 private:
  Where where_;
  std::string expected_;
};

/// The operating system refused an output file: no such directory, no permission, no space left.
class FileError : public Error {
 public:
  /// \param doing names the operation that failed, for example "writing".
  FileError(std::string path, const std::string& doing, const std::string& reason);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// A particle is in a state that no operation can process (NaN, outside the box, two particles at
/// the same position).
class ParticleError : public Error {
 public:
  /// \param particles 0-based indices of the affected particles, most relevant first.
  ParticleError(std::vector<std::int64_t> particles, const std::string& message);

  [[nodiscard]] const std::vector<std::int64_t>& particles() const noexcept { return particles_; }

 private:
  std::vector<std::int64_t> particles_;
};

/// The name of a requested operation, implementation, backend or parameter does not exist.
class SelectionError : public Error {
 public:
  /// \param candidates names that exist; repeated ones are listed once.
  /// \param left_out reason why this build lacks the requested name, for names that other builds
  /// have.
  SelectionError(const std::string& kind, std::string requested,
                 std::vector<std::string> candidates, const std::string& left_out = {});

  [[nodiscard]] const std::string& requested() const noexcept { return requested_; }
  [[nodiscard]] const std::vector<std::string>& candidates() const noexcept { return candidates_; }

 private:
  std::string requested_;
  std::vector<std::string> candidates_;
};

/// An implementation or a backend exists but cannot run the request; carries the reason.
class RefusalError : public Error {
 public:
  RefusalError(std::string subject, std::string reason);

  [[nodiscard]] const std::string& subject() const noexcept { return subject_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::string subject_;
  std::string reason_;
};

/// A backend has no device with the requested number.
class OrdinalError : public Error {
 public:
  OrdinalError(std::string backend, int ordinal, int count);

  [[nodiscard]] const std::string& backend() const noexcept { return backend_; }
  [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
  /// Number of devices; they are numbered from 0.
  [[nodiscard]] int count() const noexcept { return count_; }

 private:
  std::string backend_;
  int ordinal_;
  int count_;
};

/// A call into a device runtime failed.
class DeviceError : public Error {
 public:
  DeviceError(std::string call, const std::string& message,
              std::source_location where = std::source_location::current());

  [[nodiscard]] const std::string& call() const noexcept { return call_; }
  [[nodiscard]] std::source_location where() const noexcept { return where_; }

 private:
  std::string call_;
  std::source_location where_;
};

/// A result does not fit in its type.
class OverflowError : public Error {
 public:
  using Error::Error;
};

/// A number that should be finite is not; carries its row and column.
class NotFiniteError : public Error {
 public:
  /// \param column is -1 for a value that belongs to the row as a whole.
  NotFiniteError(std::int64_t row, std::int64_t column, const std::string& message)
      : Error(message), row_(row), column_(column) {}

  [[nodiscard]] std::int64_t row() const noexcept { return row_; }
  [[nodiscard]] std::int64_t column() const noexcept { return column_; }

 private:
  std::int64_t row_;
  std::int64_t column_;
};

/// A caller broke a documented precondition (shape, size, alignment, range of an argument).
class ArgumentError : public Error {
 public:
  using Error::Error;
  /// `what()` reads `subject: argument: message`.
  /// \param subject name of the called operation or class.
  ArgumentError(const std::string& subject, std::string argument, const std::string& message);

  /// Name of the argument; empty where no single argument is at fault.
  [[nodiscard]] const std::string& argument() const noexcept { return argument_; }

 protected:
  ArgumentError(std::string argument, const std::string& whole_message)
      : Error(whole_message), argument_(std::move(argument)) {}

 private:
  std::string argument_;
};

/// A plan of an operation that requires prepare() was executed without it.
class PrepareError : public ArgumentError {
 public:
  explicit PrepareError(std::string operation);

  [[nodiscard]] const std::string& operation() const noexcept { return operation_; }

 private:
  std::string operation_;
};

/// A run had to stop; carries the step and the cause.
class SimulationError : public Error {
 public:
  SimulationError(std::int64_t step, const std::string& message);

  [[nodiscard]] std::int64_t step() const noexcept { return step_; }

 private:
  std::int64_t step_;
};

/// The candidate of which `text` is a known alias ("float32" for "single"), or else the closest one
/// by edit distance. Empty when every candidate is farther than a third of the length of `text`
/// plus one.
[[nodiscard]] std::string nearest(const std::string& text,
                                  const std::vector<std::string>& candidates);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ERROR_HPP
