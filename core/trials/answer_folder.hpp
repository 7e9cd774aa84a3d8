#ifndef TESSERA_CORE_TRIALS_ANSWER_FOLDER_HPP
#define TESSERA_CORE_TRIALS_ANSWER_FOLDER_HPP

#include "core/base/descriptor.hpp"

#include <filesystem>
#include <string>

/// \file
/// A folder for answers of the oracle (core/trials/shared_answer.hpp) that lasts as long as one
/// search.

namespace tessera {

/// A fresh folder that only this user can read. It is locked (flock) while this object lives, and a
/// lock dies with its process, however that ends: folders of this user that nobody holds are left
/// over, and each new one removes them.
class AnswerFolder {
 public:
  /// In the folder for temporary files.
  AnswerFolder();
  explicit AnswerFolder(const std::filesystem::path& base);
  ~AnswerFolder();
  AnswerFolder(const AnswerFolder&) = delete;
  AnswerFolder& operator=(const AnswerFolder&) = delete;

  /// Empty where no folder can be made: then each worker makes its own answers.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Descriptor lock_;
  std::string path_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_ANSWER_FOLDER_HPP
