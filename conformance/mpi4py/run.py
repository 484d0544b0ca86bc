# SPDX-License-Identifier: MIT OR Apache-2.0
"""mpi4py's own test runner with lists of the tests that are skipped.

run.py TESTS FACE RANKS ARGUMENT...: TESTS is the folder of mpi4py's tests, and the arguments go to its runner. skips.txt has the
tests that are skipped here, own-skips.txt those that mpi4py skips by itself. A line that is not indented is a reason; the
indented ones below it are tests, "module.Class.method", with "on FACE,..." and "np RANKS" behind where it is so on these alone. A
test of the first list that is no more is a failure, and so is one that is skipped and in neither.
"""

import os
import sys
import unittest


def read(name, face, ranks):
    """The tests of a list that are skipped on a face on so many ranks, each with its reason."""
    skips, reason = {}, None
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8"):
        words = line.split()
        if not words or words[0] == "#":
            continue
        if not line[0].isspace():
            reason = line.strip().rstrip(":")
            continue
        only = dict(zip(words[1::2], words[2::2]))
        if face in only.get("on", face).split(",") and ranks in only.get("np", ranks).split(","):
            skips[words[0]] = reason
    return skips


def unmet(skips, met, modules):
    """The tests of the list that were not found, though their file was loaded."""
    return [name for name in skips if name not in met and name.split(".")[0] in modules]


def complain(result, listed):
    """Says which tests were skipped and are in no list, in the form of a failure."""
    for test, reason in result.skipped if result else []:
        name = test.id().split(" ")[0]
        if name not in listed:
            print(f"FAIL: {name} (skipped, and in no list: {reason})", file=sys.stderr)


def install(main, skips, own):
    """Makes mpi4py's loader skip what the list names, and fail when a name has no test or a skip is not in a list."""
    met, modules = set(), set()
    names_of = main.TestLoader.getTestCaseNames
    create, run = main.TestProgram.createTests, main.TestProgram.runTests

    def mark(self, case):
        names = names_of(self, case)
        modules.add(case.__module__)
        for name in names:
            full = f"{case.__module__}.{case.__qualname__}.{name}"
            if full in skips:
                met.add(full)
                setattr(case, name, unittest.skip(skips[full])(getattr(case, name)))
        return names

    def create_and_check(self, *arguments, **named):
        create(self, *arguments, **named)
        lost = unmet(skips, met, modules)
        if lost:
            sys.exit("ERROR: the list of skips names tests that are no more: " + " ".join(lost))

    def run_and_check(self):
        try:
            run(self)
        finally:
            complain(getattr(self, "result", None), skips | own)

    main.TestLoader.getTestCaseNames = mark
    main.TestProgram.createTests = create_and_check
    main.TestProgram.runTests = run_and_check


if __name__ == "__main__":
    tests, face, ranks = sys.argv[1:4]
    sys.argv[1:4] = []
    sys.dont_write_bytecode = True
    sys.path.insert(0, tests)
    import main

    install(main, read("skips.txt", face, ranks), read("own-skips.txt", face, ranks))
    main.main(module=None)
