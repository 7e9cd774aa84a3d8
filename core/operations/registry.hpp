#ifndef TESSERA_CORE_OPERATIONS_REGISTRY_HPP
#define TESSERA_CORE_OPERATIONS_REGISTRY_HPP

#include "core/operations/implementation.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The table of backends, operations and implementations. The built-in part is filled by
/// `register_all`, which the build system generates; programs add their own with
/// `registry().add(...)`.

namespace tessera {

class Trials;
class TunedChoices;

/// A backend as the registry knows it.
struct BackendInfo {
  std::string name;
  MemorySpace memory = MemorySpace::host;
  int priority = 0;         ///< the highest available one is the default
  std::string not_built;    ///< reason when this build lacks it, else empty
  std::string description;  ///< version of what it stands on
};

/// A hand-tuned implementation of the source that this build lacks.
struct LeftOut {
  std::string operation;
  std::string name;
  std::string reason;
};

class Registry {
 public:
  using TrialsFactory = std::function<std::shared_ptr<Trials>()>;

  using TunedChoicesFactory = std::function<std::shared_ptr<const TunedChoices>()>;

  void add_backend(BackendInfo info, BackendDevices devices);
  /// A backend that this build leaves out, with the reason, so that listings can tell it.
  void add_missing_backend(std::string name, std::string reason);
  void add_left_out(LeftOut implementation);

  void add_operation(std::string name, std::string summary, TrialsFactory trials,
                     Prepare prepare = Prepare::none);

  /// \throws ArgumentError when there is none, the operation is unknown or the name is taken.
  void add(std::unique_ptr<ImplementationBase> implementation);
  /// What `plugin` adds comes from outside of the tree (ImplementationInfo::origin).
  void add_from(const std::string& origin, const std::function<void(Registry&)>& plugin);

  /// Where configured_choices() looks up measurements (core/operations/tuned_choices.hpp).
  void set_tuned_choices(TunedChoicesFactory make) { tuned_choices_ = std::move(make); }
  /// Null where none are set.
  [[nodiscard]] std::shared_ptr<const TunedChoices> tuned_choices() const;

  /// `md/pair_force` or its short form `pair_force` where that is unambiguous.
  /// \throws SelectionError listing the candidates.
  [[nodiscard]] std::string operation(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> operations() const;
  [[nodiscard]] const std::string& summary(const std::string& operation) const;
  [[nodiscard]] Prepare prepare(const std::string& operation) const;
  /// core/trials/trial.hpp
  [[nodiscard]] std::shared_ptr<Trials> trials(const std::string& operation) const;

  /// All implementations of an operation, in order of registration.
  [[nodiscard]] std::vector<const ImplementationBase*> implementations(
      const std::string& operation) const;
  [[nodiscard]] std::vector<const ImplementationBase*> implementations(const std::string& operation,
                                                                       Precision precision) const;

  /// \throws SelectionError listing the candidates.
  [[nodiscard]] const ImplementationBase& find(const std::string& operation, Precision precision,
                                               const std::string& name) const;

  [[nodiscard]] const std::vector<LeftOut>& left_out() const noexcept { return left_out_; }
  /// Why this build has no implementation of that name: it, or its whole backend, was left out.
  /// Empty where nothing is known of it.
  [[nodiscard]] std::string reason_left_out(const std::string& operation,
                                            const std::string& name) const;

  [[nodiscard]] std::vector<BackendInfo> backends() const;
  /// Reason why a built backend cannot be used on this machine, empty when it can.
  [[nodiscard]] std::string unavailable(const std::string& backend) const;

  /// All devices of a backend in the order of their ordinals, none where the backend cannot be
  /// used. Opens none of them.
  /// \throws SelectionError for an unknown name.
  [[nodiscard]] std::vector<DeviceProperties> devices(const std::string& backend) const;

  /// Opens a device. `backend` may be "auto": the available backend of the highest priority.
  /// Without an ordinal the backend takes its default: number 0, with Kokkos the one it runs on.
  /// \throws SelectionError for an unknown name, InputError for one of hardware ("gpu"),
  /// OrdinalError when there is no such device, RefusalError with the reason otherwise.
  [[nodiscard]] Context open(const std::string& backend = "auto",
                             std::optional<int> ordinal = std::nullopt) const;

 private:
  struct Backend {
    BackendInfo info;
    BackendDevices devices;
  };
  struct Operation {
    std::string name;
    std::string summary;
    TrialsFactory trials;
    Prepare prepare = Prepare::none;
    std::vector<std::unique_ptr<ImplementationBase>> implementations;
  };

  [[nodiscard]] const Operation& get(const std::string& operation) const;
  [[nodiscard]] const Backend& get_backend(const std::string& name) const;

  std::vector<Backend> backends_;
  std::vector<Operation> operations_;
  std::vector<LeftOut> left_out_;
  TunedChoicesFactory tuned_choices_;
  std::string origin_;  ///< of what is being added
};

/// Fills the registry with what this build holds. Declared here, generated at configure time: the
/// only link that runs from core to the rest.
void register_all(Registry& registry);

/// The registry of this process, filled on first use.
[[nodiscard]] Registry& registry();

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_REGISTRY_HPP
