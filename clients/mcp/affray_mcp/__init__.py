"""MCP server for Affray: a language model plays or leads fights, and the service is the referee."""

from affray_mcp.server import main, server

__all__ = ["main", "server"]
