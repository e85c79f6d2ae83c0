# SPDX-License-Identifier: GPL-2.0-only
# python.py TEXT LINES: holds a text as lines and an index of its words. After
# "ready", each number on standard input is a round through a half of them,
# which is answered with a sum.
import sys

lines = []
index = {}
with open(sys.argv[1], encoding="latin-1") as text:
    for number, line in enumerate(text):
        if number >= int(sys.argv[2]):
            break
        line = line.rstrip("\n")
        lines.append(line)
        for word in line.split()[:2]:
            index.setdefault(word, []).append(number)
print("ready", flush=True)
half = len(lines) // 2
for request in sys.stdin:
    start = int(request) % 2 * half
    total = 0
    for line in lines[start:start + half]:
        total += len(line)
        for word in line.split(None, 1)[:1]:
            total += index[word][-1] & 255
    print(total, flush=True)
