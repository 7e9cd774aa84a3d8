tessera_operation(
  TAG ChargeDeposit
  SUMMARY "charge density of particles on a grid, cloud-in-cell"
  PRECISIONS double single)
