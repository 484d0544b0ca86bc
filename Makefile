# SPDX-License-Identifier: MIT OR Apache-2.0
# make                 builds the library and stages a prefix in stage/
# make demo            the same binaries on Open MPI and on Paceline, and a table of times
# make test            everything that needs no GPU (FULL=1: with what takes long)
# make bench           times against Open MPI, interleaved (ARGS=... go to the program; ARGS=--help names them)
# make conformance     SUITE=programs|fortran|dying|random|peers|examples|clients|rsmpi|mpich|mpich_fortran|mpi4py|imb FACE=openmpi|mpich|standard
#                      DIR=pt2pt NP=2,4 ARGS=... (--help names them)
# make install         PREFIX=/usr/local
# make docs            puts what the program knows into the documents
# make ptx             makes the GPU kernels' PTX anew from their CUDA C (fetches NVIDIA's compiler from PyPI)
# make lint            rustfmt and clippy
# make clean
#
# PROFILE=quick builds faster, for development.

PREFIX ?= /usr/local
SUITE ?= programs
FACE ?= openmpi
ARGS ?=
STAGE := stage
PROFILE ?= release
export OUT := target/$(PROFILE)
SUITES := programs fortran dying random peers examples gpu gpu_soft clients rsmpi
QUICK := $(if $(FULL),,--quick)

# Packages come before what needs them; cargo uses all cores by itself.
.NOTPARALLEL:
.PHONY: all build stage demo test bench conformance install writable docs ptx lint clean
all: stage

build:
	@tools/need.sh
	cargo build --profile $(PROFILE) --workspace

stage: build
	@mkdir -p $(STAGE)/bin $(STAGE)/lib $(STAGE)/include
	@install -C -m 755 $(OUT)/mpiexec $(STAGE)/bin/mpiexec
	@install -C -m 755 $(OUT)/paceline $(STAGE)/bin/paceline
	@ln -sf mpiexec $(STAGE)/bin/mpirun
	@mkdir -p $(STAGE)/simcuda && install -C -m 755 $(OUT)/libsimcuda.so $(STAGE)/simcuda/libcuda.so.1
	@install -C -m 755 $(OUT)/libmpi_openmpi.so $(STAGE)/lib/libmpi.so.40
	@ln -sf libmpi.so.40 $(STAGE)/lib/libmpi.so
	@install -C -m 755 $(OUT)/libmpi_mpich.so $(STAGE)/lib/libmpi.so.12
	@ln -sf libmpi.so.12 $(STAGE)/lib/libmpich.so.12
	@install -C -m 755 $(OUT)/libmpi_standard.so $(STAGE)/lib/libmpi_abi.so.1
	@ln -sf libmpi_abi.so.1 $(STAGE)/lib/libmpi_abi.so
	@install -C -m 755 $(OUT)/libmpi_openmpi_fortran.so $(STAGE)/lib/libmpi_mpifh.so.40
	@install -C -m 755 $(OUT)/libmpi_mpich_fortran.so $(STAGE)/lib/libmpifort.so.12
	@ln -sf libmpifort.so.12 $(STAGE)/lib/libmpichfort.so.12
	@for name in mpicc mpicxx; do install -C -m 755 tools/prefix/mpicc $(STAGE)/bin/$$name; done
	@mkdir -p $(STAGE)/lib/pkgconfig && install -C -m 644 tools/prefix/mpi.pc $(STAGE)/lib/pkgconfig/mpi.pc
	@for header in include/*.h; do [ ! -e $$header ] || install -C -m 644 $$header $(STAGE)/include/; done

# Without a toolchain, as under sudo, what is staged is installed as it is.
install: writable $(if $(and $(wildcard $(STAGE)/lib/libmpi.so.40),$(filter none,$(shell command -v cargo >/dev/null || echo none))),,stage)
	@tools/install.sh "$(DESTDIR)$(PREFIX)" "$(STAGE)"

writable:
	@tools/install.sh "$(DESTDIR)$(PREFIX)"

demo: packages-mpi stage
	@tools/demo.sh

test:
	@tools/need.sh mpi mpich fortran clients rsmpi
	@tools/wheels.sh
	@$(MAKE) --no-print-directory stage
	@tools/test.sh $(SUITES) $(QUICK)

bench: packages-mpi stage
	@$(OUT)/bench $(ARGS)

conformance: packages-mpi stage
	@$(if $(filter mpich,$(FACE)),tools/need.sh mpich)
	@$(if $(filter fortran mpich_fortran,$(SUITE)),tools/need.sh fortran)
	@$(if $(filter clients,$(SUITE)),tools/need.sh clients && { tools/need.sh more-clients || true; })
	@$(if $(filter rsmpi,$(SUITE)),tools/need.sh rsmpi)
	@$(if $(filter mpi4py,$(SUITE)),tools/need.sh mpi4py)
	@$(if $(filter clients mpi4py imb mpich,$(SUITE)),tools/wheels.sh)
	@$(OUT)/conformance $(SUITE) --face $(FACE) $(if $(DIR),--dir $(DIR)) $(if $(NP),--np $(NP)) $(ARGS)

packages-%:
	@tools/need.sh $*

docs:
	@tools/docs.sh

ptx:
	@tools/ptx.sh

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

clean:
	cargo clean
	rm -rf $(STAGE)
