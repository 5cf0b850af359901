# Compiler flags: one target, weft_flags, that everything built here links.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    # A sanitizer build is there to find mistakes, so it keeps the assertions.
    set(default_type Release)
    if(WEFT_SANITIZE)
        set(default_type Debug)
    endif()
    set(CMAKE_BUILD_TYPE ${default_type} CACHE STRING "Kind of build" FORCE)
endif()
# CMake would say -O3, which makes straight-line codelets longer and no faster.
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # gnu11: 128-bit integers and vector types
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

add_library(weft_flags INTERFACE)
# Without -ffp-contract=off the compiler may fuse multiplications and additions on one
# instruction set and not on another, and the exact tables would depend on it.
target_compile_options(weft_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -ffp-contract=off $<$<BOOL:${WEFT_WERROR}>:-Werror>)

if(WEFT_SANITIZE)
    add_compile_options(-O1 -g1 -fno-omit-frame-pointer -fsanitize=${WEFT_SANITIZE}
                        -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()
if(WEFT_SANITIZE MATCHES address)
    add_compile_definitions(WEFT_NO_SPARES)
endif()

# Of straight-line arithmetic on the caller's arrays, which neither shares memory nor divides. Its
# addresses stay checked in address builds, every check a call: inlined they take the compilers four
# times as long, and those of undefined behaviour several times that.
set(weft_straight_flags "")
if(WEFT_SANITIZE MATCHES "thread|undefined")
    list(APPEND weft_straight_flags -O1 -fno-sanitize=thread,undefined)
endif()
if(WEFT_SANITIZE MATCHES address)
    if(CMAKE_C_COMPILER_ID MATCHES Clang)
        list(APPEND weft_straight_flags -mllvm -asan-instrumentation-with-call-threshold=0)
    else()
        list(APPEND weft_straight_flags --param=asan-instrumentation-with-call-threshold=0)
    endif()
endif()
