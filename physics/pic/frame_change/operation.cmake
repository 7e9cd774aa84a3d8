tessera_operation(
  TAG FrameChange
  SUMMARY "longitudinal coordinates of particles, into the frame of the beam and back"
  PRECISIONS double single)
