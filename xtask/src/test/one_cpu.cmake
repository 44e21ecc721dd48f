# Included by CMake after each project() of llama.cpp. Its backends are built as libraries, as in the packages, but of the
# fourteen for kinds of processor only one, which saves the tests of graphics cards a quarter of an hour.
set(GGML_CPU_ALL_VARIANTS OFF CACHE BOOL "one is enough" FORCE)
