"""What compiled code stands on: compile-time dispatch, the disk cache, bits, random numbers."""
