"""The version of this package, as in its pyproject.toml."""

VERSION = "0.2.0"
