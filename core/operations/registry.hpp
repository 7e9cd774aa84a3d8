#ifndef TESSERA_CORE_OPERATIONS_REGISTRY_HPP
#define TESSERA_CORE_OPERATIONS_REGISTRY_HPP

#include "core/operations/implementation.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

/// \file
/// The table of backends, operations and implementations. `register_all`, which the build system
/// generates, adds the built-in entries; programs add their own with `registry().add(...)`.

namespace tessera {

class Trials;
class TunedChoices;

/// Description of a backend in the registry.
struct BackendInfo {
  std::string name;
  MemorySpace memory = MemorySpace::host;
  int priority = 0;         ///< the available backend with the highest priority is the default
  std::string not_built;    ///< reason when this build lacks it, otherwise empty
  std::string description;  ///< version of the underlying library or runtime
};

/// A hand-tuned implementation that exists in the source tree but not in this build.
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
  /// Adds a backend that this build lacks, with the reason, for listings.
  void add_missing_backend(std::string name, std::string reason);
  void add_left_out(LeftOut implementation);

  void add_operation(std::string name, std::string summary, TrialsFactory trials,
                     Prepare prepare = Prepare::none);

  /// \throws ArgumentError when the pointer is null, the operation is unknown or the name is taken.
  void add(std::unique_ptr<ImplementationBase> implementation);
  /// Marks implementations that `plugin` adds as out-of-tree (ImplementationInfo::origin).
  void add_from(const std::string& origin, const std::function<void(Registry&)>& plugin);

  /// Sets the source of measurements for configured_choices() (core/operations/tuned_choices.hpp).
  void set_tuned_choices(TunedChoicesFactory make) { tuned_choices_ = std::move(make); }
  /// Null where no source is set.
  [[nodiscard]] std::shared_ptr<const TunedChoices> tuned_choices() const;

  /// Full name of an operation: `md/pair_force` for `md/pair_force` itself and for its short form
  /// `pair_force`, where that is unambiguous.
  /// \throws SelectionError with the candidates.
  [[nodiscard]] std::string operation(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> operations() const;
  [[nodiscard]] const std::string& summary(const std::string& operation) const;
  [[nodiscard]] Prepare prepare(const std::string& operation) const;
  /// The inputs for checks and timings of an operation (core/trials/trial.hpp).
  [[nodiscard]] std::shared_ptr<Trials> trials(const std::string& operation) const;

  /// All implementations of an operation, in order of registration.
  [[nodiscard]] std::vector<const ImplementationBase*> implementations(
      const std::string& operation) const;
  [[nodiscard]] std::vector<const ImplementationBase*> implementations(const std::string& operation,
                                                                       Precision precision) const;

  /// \throws SelectionError with the candidates.
  [[nodiscard]] const ImplementationBase& find(const std::string& operation, Precision precision,
                                               const std::string& name) const;

  [[nodiscard]] const std::vector<LeftOut>& left_out() const noexcept { return left_out_; }
  /// Reason why this build lacks an implementation of this name: it, or its whole backend, was left
  /// out. Empty for an unknown name.
  [[nodiscard]] std::string reason_left_out(const std::string& operation,
                                            const std::string& name) const;

  /// The object of type T that belongs to this registry, a table that a module of physics keeps
  /// beside its operations, made at its first use. Several threads may call it; T guards its own
  /// contents.
  template <class T>
  [[nodiscard]] T& part() {
    return *static_cast<T*>(
        find_part(typeid(T), [] { return std::static_pointer_cast<void>(std::make_shared<T>()); }));
  }

  [[nodiscard]] std::vector<BackendInfo> backends() const;
  /// Reason why a built backend cannot be used on this machine; empty when it can.
  [[nodiscard]] std::string unavailable(const std::string& backend) const;

  /// All devices of a backend in the order of their ordinals; empty where the backend cannot be
  /// used. Opens none of them.
  /// \throws SelectionError for an unknown name.
  [[nodiscard]] std::vector<DeviceProperties> devices(const std::string& backend) const;

  /// Opens a device. `backend` "auto" stands for the available backend with the highest priority.
  /// Without an ordinal the default device of the backend is opened: number 0, or with Kokkos the
  /// device on which Kokkos runs.
  /// \throws SelectionError for an unknown name, InputError for a name of hardware ("gpu"),
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

  /// The parts by their types. On the heap, because a mutex cannot be moved.
  struct Parts {
    std::mutex mutex;
    std::map<std::type_index, std::shared_ptr<void>> by_type;
  };

  [[nodiscard]] void* find_part(std::type_index type,
                                const std::function<std::shared_ptr<void>()>& make);
  [[nodiscard]] const Operation& get(const std::string& operation) const;
  [[nodiscard]] const Backend& get_backend(const std::string& name) const;

  std::vector<Backend> backends_;
  std::vector<Operation> operations_;
  std::vector<LeftOut> left_out_;
  TunedChoicesFactory tuned_choices_;
  std::unique_ptr<Parts> parts_ = std::make_unique<Parts>();
  std::string origin_;  ///< path of the out-of-tree plugin that is being added, else empty
};

/// Fills the registry with the contents of this build. Declared here and generated at configure
/// time; core depends on the other modules only through this function.
void register_all(Registry& registry);

/// The registry of this process, filled on first use.
[[nodiscard]] Registry& registry();

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_REGISTRY_HPP
