// Stands for a driver that never comes back from being loaded.
#include <unistd.h>

__attribute__((constructor)) static void start() {
    for (;;) ::pause();
}
