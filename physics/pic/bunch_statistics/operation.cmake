tessera_operation(
  TAG BunchStatistics
  SUMMARY "means, second moments and extremes of the six coordinates of a bunch"
  PRECISIONS double single)
