tessera_operation(
  TAG Integrate
  SUMMARY "velocity Verlet: half kicks and drift"
  PRECISIONS double,mixed single)
