"""The web: operations, requests and answers, problems, the contract."""
