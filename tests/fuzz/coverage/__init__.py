"""Coverage-guided fuzzing of import, fork and event decoding: `make fuzz-coverage TIME=3600`."""
