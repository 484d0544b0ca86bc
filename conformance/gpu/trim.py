# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes a CUDA library small to carry: the device code in it that is not linked, or not for one architecture, becomes zeros, which compress
to nothing. Usage: trim.py LIBRARY ARCHITECTURE (90 for H100 and H200). The file keeps its size and layout."""

import struct
import sys

MAGIC = struct.pack("<I", 0xBA55ED50)
# Of an entry: kind, its header's bytes, payload's bytes; the architecture is the number at 28.
ENTRY = struct.Struct("<HHIQ")
CODE = 2


def section(data, name):
    """The bytes of a section of an ELF file: from, to."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    for head in heads:
        at = heads[names][4] + head[0]
        if data[at : data.index(0, at)] == name:
            return head[4], head[4] + head[5]
    return 0, 0


def main():
    path, wanted = sys.argv[1], int(sys.argv[2])
    kept = zeroed = 0
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        # Code that was linked already.
        start, end = section(data, b"__nv_relfatbin")
        data[start:end] = bytes(end - start)
        start = data.find(MAGIC)
        while start >= 0:
            header, size = struct.unpack_from("<HQ", data, start + 6)
            place, end = start + header, start + header + size
            while place + ENTRY.size < end <= len(data):
                kind, _, head, length = ENTRY.unpack_from(data, place)
                (architecture,) = struct.unpack_from("<I", data, place + 28)
                if kind == CODE and architecture == wanted:
                    kept += length
                else:
                    data[place + head : place + head + length] = bytes(length)
                    zeroed += length
                place += head + length
            start = data.find(MAGIC, max(end, start + 4) if end <= len(data) else start + 4)
        file.seek(0)
        file.write(data)
    print(f"{path}: {kept >> 20} MiB of device code for sm_{wanted} are left, {zeroed >> 20} MiB are zeros")
    sys.exit(kept == 0)


main()
