tessera_operation(
  TAG ChargeDeposit
  SUMMARY "charge density of particles on a grid"
  PRECISIONS double single)
