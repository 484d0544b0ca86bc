// SPDX-License-Identifier: MIT OR Apache-2.0
// Whether there is a device that ranks can share: its facts, or one line that begins with "no usable CUDA driver" or "no usable device",
// and a failure. It asks the driver alone and holds no context when it ends. Lines: fact NAME VALUE.
#include "cuda.h"

static int (*attribute)(int *, int, int), (*total)(size_t *, int), (*message)(int, const char **);

static void unusable(const char *what, const char *why) {
    printf("no usable %s: %s\n", what, why);
    exit(9);
}

static void must(int code, const char *name) {
    const char *text = NULL;
    char line[256];
    if (code == 0)
        return;
    if (message != NULL)
        message(code, &text);
    snprintf(line, sizeof line, "%s gave %d (%s)", name, code, text == NULL ? "?" : text);
    unusable("CUDA driver", line);
}
#define MUST(call) must(call, #call)

static void load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        unusable("CUDA driver", dlerror());
#define READY_LOAD(name, arguments) *(void **)&name = dlsym(library, #name);
    CUDA_FUNCTIONS(READY_LOAD)
    *(void **)&attribute = dlsym(library, "cuDeviceGetAttribute");
    *(void **)&total = dlsym(library, "cuDeviceTotalMem_v2");
    *(void **)&message = dlsym(library, "cuGetErrorString");
    if (cuInit == NULL || cuDeviceGetCount == NULL || cuDeviceGet == NULL || cuDeviceGetName == NULL || cuDriverGetVersion == NULL || attribute == NULL || total == NULL)
        unusable("CUDA driver", "libcuda.so.1 lacks its first functions");
}

// CU_DEVICE_ATTRIBUTE_COMPUTE_MODE and the capability.
enum { MODE = 20, MAJOR = 75, MINOR = 76, EXCLUSIVE = 3, PROHIBITED = 2 };

int main(int argc, char **argv) {
    int version = 0, devices = 0, device, mode = 0, major = 0, minor = 0;
    size_t bytes = 0;
    char name[256] = "";
    load();
    MUST(cuInit(0));
    MUST(cuDriverGetVersion(&version));
    MUST(cuDeviceGetCount(&devices));
    if (devices == 0)
        unusable("device", "the driver sees none");
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDeviceGetName(name, sizeof name, device));
    MUST(total(&bytes, device));
    MUST(attribute(&mode, MODE, device));
    MUST(attribute(&major, MAJOR, device));
    MUST(attribute(&minor, MINOR, device));
    printf("fact driver %d\nfact devices %d\nfact device %s\nfact capability %d.%d\nfact memory_mib %zu\n", version, devices, name, major, minor, bytes >> 20);
    printf("fact compute_mode %s\n", mode == EXCLUSIVE ? "exclusive-process" : mode == PROHIBITED ? "prohibited" : "default");
    fflush(stdout);
    if (mode == PROHIBITED)
        unusable("device", "its compute mode is prohibited");
    if (mode == EXCLUSIVE && !check_option(argc, argv, "served"))
        unusable("device", "its compute mode is exclusive-process, so ranks cannot share it (without MPS)");
    puts("OK");
    return 0;
}
