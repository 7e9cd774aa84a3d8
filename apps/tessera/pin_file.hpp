#ifndef TESSERA_APPS_TESSERA_PIN_FILE_HPP
#define TESSERA_APPS_TESSERA_PIN_FILE_HPP

#include "core/operations/choices.hpp"
#include "core/tuning/tuning_record.hpp"

#include <map>
#include <string>
#include <vector>

/// \file
/// Pin files, which contain the implementation of each operation and all its parameters, so that a
/// run can be repeated.

namespace tessera::command_line {

struct Pin {
  struct Entry {
    std::string implementation;
    ParameterValues parameters;  ///< values of all its parameters
  };
  Precision precision = Precision::double_precision;
  TunedDevice device;
  TunedBuild build;
  std::map<std::string, Entry> operations;
  std::string file;  ///< file that the pin was read from
};

/// Choices for each operation on the device of `context`: the winner of the record with the largest
/// size or, without a valid record, the choice of the context.
[[nodiscard]] Pin pin_of(const std::vector<TuningRecord>& records, const Context& context,
                         Precision precision);

/// \throws FileError
void write_pin(const std::string& file, const Pin& pin);

/// \throws InputError with file and field.
[[nodiscard]] Pin read_pin(const std::string& file);

/// Adds the pinned choices. \throws InputError with file, field and the nearest name, for another
/// precision and for implementations that this build lacks.
void add_pin(const Pin& pin, Precision precision, Choices& choices);

/// \throws InputError for a pin of another device. Warns of another build.
void check_device(const Pin& pin, const DeviceProperties& device);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_PIN_FILE_HPP
