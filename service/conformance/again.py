"""`python -m service.conformance.again RULESET`: decide commands from stdin, print their events."""

import sys

import msgspec

from service.conformance.kit import load, read_commands, stored


def main() -> None:
    """Print the text of every event as a JSON array."""
    ruleset = load(sys.argv[1])
    commands = read_commands(sys.stdin.buffer.read())
    sys.stdout.buffer.write(msgspec.json.encode(stored(ruleset, commands)))


if __name__ == "__main__":
    main()
