"""Match → tournament → ratings."""
