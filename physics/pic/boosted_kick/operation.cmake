tessera_operation(
  TAG BoostedKick
  SUMMARY "momenta in an accelerator changed by a field in the frame of the beam"
  PRECISIONS double single)
