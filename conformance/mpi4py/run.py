# SPDX-License-Identifier: MIT OR Apache-2.0
"""mpi4py's own test runner with a list of tests to skip.

run.py TESTS SKIPS FACE ARGUMENT...: TESTS is the folder of mpi4py's tests, SKIPS the list, and the arguments go to mpi4py's
runner. A line of the list that is not indented is a reason; the indented ones below it are tests, "module.Class.method", with
"on FACE" behind where one face alone skips it. A test of the list that is no more is a failure.
"""

import sys
import unittest


def read(path, face):
    """The tests to skip on a face, each with its reason."""
    skips, reason = {}, None
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if not words or words[0] == "#":
            continue
        if not line[0].isspace():
            reason = line.strip().rstrip(":")
        elif words[1:] in ([], ["on", face]):
            skips[words[0]] = reason
    return skips


def unmet(skips, met, modules):
    """The tests of the list that were not found, though their file was loaded."""
    return [name for name in skips if name not in met and name.split(".")[0] in modules]


def install(main, skips):
    """Makes mpi4py's loader skip what the list names, and fail when a name has no test."""
    met, modules = set(), set()
    names_of = main.TestLoader.getTestCaseNames
    create = main.TestProgram.createTests

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

    main.TestLoader.getTestCaseNames = mark
    main.TestProgram.createTests = create_and_check


if __name__ == "__main__":
    tests, skips, face = sys.argv[1:4]
    sys.argv[1:4] = []
    sys.dont_write_bytecode = True
    sys.path.insert(0, tests)
    import main

    install(main, read(skips, face))
    main.main(module=None)
