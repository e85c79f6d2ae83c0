#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
budgets.py evaluate DIR: the budgets against the figures that budgets.sh left
in DIR, as lines of results/budgets.tsv.
budgets.py table TSV: these lines for people to read.
budgets.py rst TSV: a short table of them for the documentation.
"""
import csv
import os
import sys

SIZES = {4096: "4k", 16384: "16k", 65536: "64k"}
# lz4 barely compresses a workload if it takes this share of the pages or more
BARELY = 0.9
WORKLOAD_LIMIT = 0.80
ABOVE_LIMIT = 0.5
CODECS = ["seqlz:1", "seqlz:2", "seqlz:3", "seqlz:4", "lz4", "zstd:3"]


def die(text):
    sys.exit(f"error: {text}")


class Figures:
    """What the benchmark wrote, and what was read off the objects"""

    def __init__(self, path):
        self.value = {}
        if not os.path.exists(path):
            return
        with open(path, encoding="ascii") as lines:
            for line in lines:
                if not line.startswith("#"):
                    mode, size, file, codec, metric, value = line.rstrip("\n").split("\t")
                    self.value[mode, int(size), file, codec, metric] = float(value)

    def get(self, mode, size, codec, metric, file="TOTAL"):
        return self.value.get((mode, size, file, codec, metric))

    def files(self, size):
        return sorted({k[2] for k in self.value if k[0] == "size" and k[1] == size and
                       k[2] != "TOTAL" and k[3] == "seqlz:2"})


def read_left_out(path):
    """{(page size, workload, codec): line of leave-one-out.sh}"""
    result = {}
    if not os.path.exists(path):
        return result
    names = None
    with open(path, encoding="ascii") as lines:
        for line in lines:
            fields = line.rstrip("\n").lstrip("# ").split("\t")
            if fields[0] == "page_size":
                names = fields
            elif not line.startswith("#"):
                row = dict(zip(names, fields))
                result[int(row["page_size"]), row["workload"], row["codec"]] = row
    return result


def verdict(value, must, reach):
    if value is None:
        return "-"
    if reach is not None and value <= reach:
        return "reached"
    if value <= must:
        return "met"
    if not must:
        return "missed"
    return f"+{100 * (value / must - 1):.1f}%"


def ratio(a, b):
    return None if a is None or not b else a / b


class Budgets:
    def __init__(self, figures, left_out):
        self.figures = figures
        self.left_out = left_out
        self.rows = []

    def add(self, size, what, must, reach, value, left_out=None, note=""):
        def text(x):
            if x is None:
                return "-"
            return f"{x:.0f}" if x == 0 or x >= 100 else f"{x:.3f}"

        self.rows.append(["budget", str(size), what, text(must), text(reach),
                          text(value), verdict(value, must, reach),
                          text(left_out), verdict(left_out, must, reach), note or "-"])

    def bytes_row(self, size, level, base, must, reach):
        codec = f"seqlz:{level}"
        value = ratio(self.figures.get("size", size, codec, "zs_bytes"),
                      self.figures.get("size", size, base, "zs_bytes"))
        row = self.left_out.get((size, "TOTAL", codec))
        column = "left_out_to_lz4" if base == "lz4" else "left_out_to_zstd3"
        self.add(size, f"zsmalloc bytes, level {level} to {base}", must, reach, value,
                 float(row[column]) if row else None)

    def time_of(self, size, codec, direction, which):
        return self.figures.get("time", size, codec, f"{direction}_ratio{which}")

    def time_row(self, size, direction, level, base, must, reach):
        codec = f"seqlz:{level}"

        def of(which, base_which):
            return ratio(self.time_of(size, codec, direction, which),
                         self.time_of(size, base, direction, base_which))

        low, high = of("_min", "_max"), of("_max", "_min")
        noise = self.time_of(size, "lz4-again", direction, "_quiet")
        note = ""
        if low and high and noise:
            note = f"processes {low:.2f} to {high:.2f}; lz4 to itself {noise:.2f}"
        self.add(size, f"{direction}, level {level} to {base}", must, reach,
                 of("_quiet", "_quiet"), note=note)

    def memory_row(self, size, level, must, reach):
        taken = self.figures.get("size", size, f"seqlz:{level}", "workmem_taken")
        self.add(size, f"compression work memory, level {level}", must, reach,
                 self.figures.get("object", size, f"seqlz:{level}", "workmem"),
                 note=f"takes {taken:.0f} as zram allocates it" if taken else "")

    def object_rows(self, size):
        def get(metric):
            return self.figures.get("object", size, "seqlz", metric)

        self.add(size, "read-only tables", 160 * 1024, 96 * 1024, get("tables"))
        self.add(size, "stack frame, the largest", 1024, 512, get("frame"),
                 note=f"all frames of a decompression together {get('decoder_frames'):.0f}")

    def page_size(self, size):
        for level, base, must, reach in ((2, "zstd:3", 1.0, 0.95), (2, "lz4", 0.70, 0.65),
                                         (4, "zstd:3", 0.95, 0.90), (1, "lz4", 0.78, None)):
            self.bytes_row(size, level, base, must, reach)
        for direction, level, base, must, reach in (
                ("decompress", 2, "lz4", 1.45, 1.15), ("decompress", 1, "lz4", 1.30, 1.05),
                ("compress", 1, "lz4", 1.15, 0.95), ("compress", 2, "lz4", 1.50, 1.15),
                ("compress", 4, "zstd:3", 1.0, 0.6)):
            self.time_row(size, direction, level, base, must, reach)
        self.memory(size)
        self.add(size, "decompression work memory", 0, 0,
                 self.figures.get("worst", size, "seqlz:2", "decompress_context"),
                 note="every block of mode worst was read without a context")
        self.add(size, "slowest valid page to the p99 of real ones", 2.0, 1.5,
                 self.figures.get("worst", size, "seqlz:2", "any_to_p99"),
                 note="the slowest found, by time; below the huge size "
                 f"{self.figures.get('worst', size, 'seqlz:2', 'kept_to_p99'):.2f}")
        self.object_rows(size)

    def memory(self, size):
        limits = (12 * 1024, 8 * 1024) if size == 4096 else (16416, 12 * 1024)
        for level in (1, 2):
            self.memory_row(size, level, *limits)
        for level in (3, 4) if size == 4096 else ():
            self.memory_row(size, level, 32 * 1024, 16 * 1024)

    def workloads(self, size):
        for file in self.figures.files(size):
            lz4 = self.figures.get("size", size, "lz4", "zs_bytes", file)
            value = ratio(self.figures.get("size", size, "seqlz:2", "zs_bytes", file), lz4)
            row = self.left_out.get((size, file.split(".")[0].removesuffix("-16k"), "seqlz:2"))
            left_out = float(row["left_out_to_lz4"]) if row else None
            barely = lz4 >= BARELY * size
            self.add(size, f"{file.split('.')[0]}: level 2 to lz4",
                     9.99 if barely else WORKLOAD_LIMIT, None, value, left_out,
                     f"lz4 barely compresses it: {lz4:.0f} bytes a page" if barely else "")
        for level in (1, 2, 4):
            self.add(size, f"% of pages over a size class above lz4, level {level}",
                     ABOVE_LIMIT, None,
                     self.figures.get("size", size, f"seqlz:{level}", "above_lz4_percent"))

    def codecs(self, size):
        for codec in CODECS:
            get = self.figures.get
            row = self.left_out.get((size, "TOTAL", codec))
            numbers = [
                get("size", size, codec, "zs_bytes"),
                ratio(get("size", size, codec, "zs_bytes"), get("size", size, "lz4", "zs_bytes")),
                float(row["left_out_to_lz4"]) if row else None,
                get("time", size, codec, "compress_ratio_quiet"),
                get("time", size, codec, "decompress_ratio_quiet"),
                get("size", size, codec, "workmem_asked"),
            ]
            self.rows.append(["codec", str(size), codec] +
                             ["-" if n is None else f"{n:.3f}" if n < 100 else f"{n:.0f}"
                              for n in numbers])


def evaluate(directory):
    figures = Figures(os.path.join(directory, "figures.tsv"))
    budgets = Budgets(figures, read_left_out(os.path.join(directory, "leave-one-out.tsv")))
    sizes = [s for s in (4096, 16384) if figures.files(s)]
    if not sizes:
        die("the benchmark left no figures")
    for size in sizes:
        budgets.page_size(size)
    budgets.memory(65536)
    budgets.object_rows(65536)
    for size in sizes:
        budgets.workloads(size)
    for size in sizes:
        budgets.codecs(size)
    csv.writer(sys.stdout, delimiter="\t", lineterminator="\n",
               quoting=csv.QUOTE_NONE, quotechar=None).writerows(budgets.rows)


def read_rows(path, kind):
    with open(path, encoding="ascii") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return [row[1:] for row in rows if row[0] == kind]


def table(path):
    heads = ["page", "what", "must", "reach for", "measured", "", "left out", "", "note"]
    rows = read_rows(path, "budget")
    widths = [max(len(row[i]) for row in rows + [heads]) for i in range(8)]
    for row in [heads] + rows:
        cells = [cell.ljust(w) if i in (1, 5, 7) else cell.rjust(w)
                 for i, (cell, w) in enumerate(zip(row, widths))]
        note = row[8] if row[8] != "-" else ""
        print("  ".join(cells + [note]).rstrip())
    verdicts = [v for row in rows for v in (row[5], row[7]) if v != "-"]
    good = sum(v in ("met", "reached") for v in verdicts)
    print(f"\n{len(verdicts)} figures: {good} met or reached, {len(verdicts) - good} not")


def two_digits(cell):
    return f"{float(cell):.2f}" if "." in cell else cell


def rst(path):
    heads = ["Codec", "Bytes", "To lz4", "Left out", "Compress", "Decompress", "Memory"]
    for size in sorted({row[0] for row in read_rows(path, "codec")}, key=int):
        rows = [[two_digits(cell) for cell in row[1:8]]
                for row in read_rows(path, "codec") if row[0] == size]
        widths = [max(len(row[i]) for row in rows + [heads]) for i in range(7)]
        rule = "  ".join("=" * w for w in widths)
        print(f"Pages of {int(size) // 1024} KiB:\n\n{rule}")
        for row in [heads] + rows:
            print("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip())
            if row is heads:
                print(rule)
        print(f"{rule}\n")


def main():
    modes = {"evaluate": evaluate, "table": table, "rst": rst}
    if len(sys.argv) != 3 or sys.argv[1] not in modes:
        die("usage: budgets.py evaluate DIR, or table or rst TSV")
    modes[sys.argv[1]](sys.argv[2])


if __name__ == "__main__":
    main()
