"""`python -m affray_mcp`."""

from affray_mcp.server import main

main()
