# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the driver says of the pointers of CuPy and of PyTorch, if they are installed: facts like those of facts.c."""

import ctypes

# MEMORY_TYPE, CONTEXT, IS_MANAGED, IS_LEGACY_CUDA_IPC_CAPABLE, ALLOWED_HANDLE_TYPES, MEMPOOL_HANDLE
ATTRIBUTES = {"type": 2, "context": 1, "managed": 8, "ipc": 10, "types": 14, "pool": 17}


def fact(name, pointer):
    driver = ctypes.CDLL("libcuda.so.1")
    values = [ctypes.c_uint64(0) for _ in ATTRIBUTES]
    which = (ctypes.c_int * len(values))(*ATTRIBUTES.values())
    places = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
    code = driver.cuPointerGetAttributes(len(values), which, places, ctypes.c_uint64(pointer))
    found = dict(zip(ATTRIBUTES, (value.value for value in values)))
    found.update(context=int(found["context"] != 0), pool=int(found["pool"] != 0))
    print(f"fact attributes_{name} code={code} " + " ".join(f"{key}={value}" for key, value in found.items()))


def torch_pointer():
    import torch

    tensor = torch.empty(100000, device="cuda")
    fact("torch", tensor.data_ptr())


def cupy_pointer():
    import cupy

    array = cupy.empty(100000, dtype="f4")
    fact("cupy", array.data.ptr)


for name, ask in {"torch": torch_pointer, "cupy": cupy_pointer}.items():
    try:
        ask()
    except ImportError:
        print(f"fact attributes_{name} not installed")
