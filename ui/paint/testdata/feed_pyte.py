"""Writes pages of bytes to pyte, and prints what the screen shows after each of them.

Called as: python3 feed_pyte.py WIDTH HEIGHT FILE...
"""

import sys

import pyte

screen = pyte.Screen(int(sys.argv[1]), int(sys.argv[2]))
stream = pyte.ByteStream(screen)
sys.stdout.reconfigure(encoding="utf-8")
for name in sys.argv[3:]:
    with open(name, "rb") as file:
        stream.feed(file.read())
    print("\n".join(screen.display), end="\f")
