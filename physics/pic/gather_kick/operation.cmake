tessera_operation(
  TAG GatherKick
  SUMMARY "momenta of particles changed by a field on a grid"
  PRECISIONS double single)
