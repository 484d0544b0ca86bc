# SPDX-License-Identifier: MIT OR Apache-2.0
# PETSc: heat at rest on a square grid, the right side made from a known solution, which each solver has to find.
import math
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc

N = 48
SOLVERS = [("cg", "bjacobi"), ("gmres", "asm"), ("bcgs", "jacobi"), ("preonly", "lu")]

grid = PETSc.DMDA().create([N, N], dof=1, stencil_width=1)
matrix = grid.createMatrix()
(west, east), (south, north) = grid.getRanges()
row, column = PETSc.Mat.Stencil(), PETSc.Mat.Stencil()
for j in range(south, north):
    for i in range(west, east):
        row.index = (i, j)
        matrix.setValueStencil(row, row, 4.0)
        for neighbour in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= min(neighbour) and max(neighbour) < N:
                column.index = neighbour
                matrix.setValueStencil(row, column, -1.0)
matrix.assemble()

known = matrix.createVecRight()
values = grid.getVecArray(known)
for j in range(south, north):
    for i in range(west, east):
        values[i, j] = math.sin(0.3 * i) * math.cos(0.2 * j)
del values
right, found = known.duplicate(), known.duplicate()
matrix.mult(known, right)

for kind, preconditioner in SOLVERS:
    solver = PETSc.KSP().create()
    solver.setOperators(matrix)
    solver.setType(kind)
    solver.getPC().setType(preconditioner)
    if preconditioner == "lu":
        solver.getPC().setFactorSolverType("mumps")
    solver.setTolerances(rtol=1e-12)
    found.set(0.0)
    solver.solve(right, found)
    found.axpy(-1.0, known)
    error = found.norm(PETSc.NormType.INFINITY)
    PETSc.Sys.Print(f"{kind} {preconditioner}: {'right' if error < 1e-8 else f'wrong by {error}'}")

scatter, gathered = PETSc.Scatter.toZero(known)
scatter.scatter(known, gathered)
everything = gathered.norm() if PETSc.COMM_WORLD.getRank() == 0 else 0.0
whole = known.norm()
PETSc.Sys.Print("gathered: " + ("right" if abs(everything - whole) < 1e-9 * whole else f"wrong: {everything}, not {whole}"))
