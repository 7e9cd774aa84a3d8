tessera_operation(
  TAG Langevin
  SUMMARY "Langevin dynamics (BAOAB): half kicks, half drifts, friction and noise"
  PRECISIONS double,mixed single)
