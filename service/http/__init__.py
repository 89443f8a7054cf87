"""The web: what an operation is, how requests are read and answered, problems, the contract."""
