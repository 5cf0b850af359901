# libweft, shared and static, and weft_internal, the same objects with every symbol for the tests.

set(weft_include_dirs ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

# Of OpenCL and Vulkan only the headers are needed: their libraries are opened at run time.
include(CheckIncludeFile)
function(weft_require_header header package)
    string(MAKE_C_IDENTIFIER "WEFT_HAS_${header}" found)
    check_include_file(${header} ${found})
    if(NOT ${found})
        # Not to be remembered: the package may be there next time.
        unset(${found} CACHE)
        message(FATAL_ERROR "${header} is missing: install ${package}, or run tools/setup")
    endif()
endfunction()
weft_require_header(CL/cl.h opencl-c-headers)
weft_require_header(vulkan/vulkan_core.h libvulkan-dev)

# An OBJECT library of sources of src/, written or generated.
function(weft_object_library name)
    add_library(${name} OBJECT ${ARGN})
    target_include_directories(${name} PRIVATE ${weft_include_dirs})
    target_link_libraries(${name} PRIVATE weft_flags Threads::Threads)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()

# The lower layers are objects of their own because the codelet generator, which the upper ones
# need to be built, is made of them.
set(lower_sources "")
foreach(folder base math ir spec kernel print)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS src/${folder}/*.c)
    list(APPEND lower_sources ${found})
endforeach()
file(GLOB_RECURSE upper_sources CONFIGURE_DEPENDS src/*.c)
list(REMOVE_ITEM upper_sources ${lower_sources})

weft_object_library(weft_lower ${lower_sources})
include(cmake/identity.cmake)
weft_object_library(weft_upper ${upper_sources} ${weft_identity})
# Nothing unwinds through the library, which throws no exceptions; debuggers have tables of their
# own.
foreach(target weft_lower weft_upper)
    target_compile_options(${target} PRIVATE -fno-asynchronous-unwind-tables)
endforeach()
# Runs once a plan, or waits for a driver or a disk, and has no loop over numbers: -Os makes it
# short. (Experiment "text" in docs/experiments.)
if(CMAKE_BUILD_TYPE STREQUAL Release)
    set(once_sources ${lower_sources} ${upper_sources})
    list(FILTER once_sources INCLUDE REGEX
         "/src/(device/(cuda|gpu|opencl|vulkan)|hook|ir|kernel|print|store|tune)/")
    list(FILTER once_sources EXCLUDE REGEX "/(hook/run|ir/evaluate)")
    set_source_files_properties(${once_sources} src/plan/check.c src/plan/convolution.c
        src/plan/draft.c src/plan/joined.c src/plan/lay.c src/plan/odd.c
        src/plan/real_stages.c src/plan/resampled.c src/plan/single.c src/plan/swept.c
        src/plan/trigonometric.c src/spec/plan_parse.c src/api/device.c
        src/device/cpu/abreast.c src/device/cpu/blocks.c src/device/cpu/isa.c
        src/device/cpu/kernel.c src/device/cpu/laid.c src/device/cpu/matrix.c
        src/device/cpu/odd.c
        src/device/cpu/pairs.c src/device/cpu/parity.c src/device/cpu/pipeline.c
        src/device/cpu/source.c src/device/cpu/spectrum.c src/device/cpu/sums.c
        src/device/cpu/tiles.c src/device/cpu/turned.c src/device/cpu/whole.c
        src/device/cpu/widths.c src/device/cpu/circulant.c src/spec/lone_sums.c
        src/spec/price_lines.c src/spec/block_ends.c src/spec/block_half.c
        src/spec/block_registers.c src/spec/block_shared.c src/api/configure.c
        src/api/params.c src/stream/make.c src/stream/passes.c src/stream/split.c
        src/stream/stream.c
        PROPERTIES COMPILE_OPTIONS -Os)
endif()
# Loops over whole tiles: worth the vectors that -O2 leaves out, and wide ones. Nobody asks whether
# a comparison met a NaN, so selections need no branches.
set(general_flags -fno-trapping-math)
if(CMAKE_BUILD_TYPE STREQUAL Release)
    list(APPEND general_flags -O3)
endif()
set_source_files_properties(src/device/cpu/machine_basic.c src/device/cpu/machine_run.c
    src/hook/run_f32.c src/hook/run_f64.c
    PROPERTIES COMPILE_OPTIONS "${general_flags}")
# Sums of products, each used once: the compiler may fuse them where every processor can (NEON).
# clang decides it expression by expression, so that every function that has one rounds alike; of
# gcc only "fast" fuses at all.
set(fused_flags -ffp-contract=fast)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
    set(fused_flags -ffp-contract=on)
endif()
set_source_files_properties(src/device/cpu/mirror_basic.c
    PROPERTIES COMPILE_OPTIONS "${general_flags};${fused_flags}")
set_source_files_properties(src/device/cpu/sum_basic.c src/device/cpu/matrix_basic.c
    src/device/cpu/core_basic.c src/device/cpu/factors_basic.c
    src/device/cpu/resample_basic.c src/device/cpu/odd_basic.c src/device/cpu/abreast_basic.c
    PROPERTIES COMPILE_OPTIONS "${fused_flags}")
# Of gathers and scatters gcc makes a third more of text by -O3 than by what of it they gain from.
# (Experiment "text" in docs/experiments.)
set(gather_flags ${general_flags})
if(CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    list(REMOVE_ITEM gather_flags -O3)
    list(APPEND gather_flags -O2 -ftree-vectorize -fvect-cost-model=dynamic -funswitch-loops
         --param=max-inline-insns-single=200 --param=max-inline-insns-auto=30
         --param=inline-min-speedup=15 --param=early-inlining-insns=14)
endif()
# Those that are for any processor serve SSE2 alone on an x86-64, where they are short.
set(basic_gather_flags ${gather_flags})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    if(CMAKE_BUILD_TYPE STREQUAL Release)
        set(basic_gather_flags -fno-trapping-math -Os)
    endif()
    list(APPEND general_flags -mavx2 -mf16c)
    list(APPEND gather_flags -mavx2 -mf16c)
endif()
set_source_files_properties(src/device/cpu/general_f32.c src/device/cpu/general_f64.c
    PROPERTIES COMPILE_OPTIONS "${basic_gather_flags}")
set_source_files_properties(src/hook/run_avx2_f32.c src/hook/run_avx2_f64.c
    PROPERTIES COMPILE_OPTIONS "${general_flags}")
set_source_files_properties(src/device/cpu/general_avx2_f32.c src/device/cpu/general_avx2_f64.c
    PROPERTIES COMPILE_OPTIONS "${gather_flags}")
set(avx2_flags ${general_flags})
set(avx512_flags ${general_flags})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set_source_files_properties(src/math/root_run_avx2.c PROPERTIES COMPILE_OPTIONS -mavx2)
    set_source_files_properties(src/math/root_run_avx512.c
        PROPERTIES COMPILE_OPTIONS "-mavx512f;-mavx512dq")
    set_source_files_properties(src/run/compensated_run_fma.c
        PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
    # These serve processors without such vectors, where they are short.
    set_source_files_properties(src/math/root_run_basic.c src/run/compensated_run_basic.c
        PROPERTIES COMPILE_OPTIONS -Os)
    set_property(SOURCE src/device/cpu/resample_basic.c src/device/cpu/matrix_basic.c
        src/device/cpu/odd_basic.c src/device/cpu/odd_half_basic.c src/device/cpu/mirror_basic.c
        src/device/cpu/factors_basic.c src/device/cpu/sum_basic.c
        APPEND PROPERTY COMPILE_OPTIONS -Os)
    list(APPEND avx2_flags -mfma)
    list(APPEND avx512_flags -mfma -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
endif()
set_source_files_properties(src/device/cpu/machine_avx2.c
    PROPERTIES COMPILE_OPTIONS "${avx2_flags}")
set_source_files_properties(src/device/cpu/machine_avx512.c
    PROPERTIES COMPILE_OPTIONS "${avx512_flags}")
# Vectors by hand: -O3 would only unroll them.
list(REMOVE_ITEM avx2_flags -O3)
list(REMOVE_ITEM avx512_flags -O3)
set_source_files_properties(src/device/cpu/sum_avx2.c src/device/cpu/matrix_avx2.c
    src/device/cpu/mirror_avx2.c
    src/device/cpu/core_avx2.c src/device/cpu/factors_avx2.c
    src/device/cpu/resample_avx2.c src/device/cpu/abreast_avx2.c src/device/cpu/odd_avx2.c
    src/device/cpu/odd_half_avx2.c src/device/cpu/circulant_avx2.c
    PROPERTIES COMPILE_OPTIONS "${avx2_flags};${fused_flags}")
set_source_files_properties(src/device/cpu/sum_avx512.c src/device/cpu/matrix_avx512.c
    src/device/cpu/mirror_avx512.c
    src/device/cpu/core_avx512.c src/device/cpu/factors_avx512.c
    src/device/cpu/resample_avx512.c src/device/cpu/abreast_avx512.c src/device/cpu/odd_avx512.c
    src/device/cpu/circulant_avx512.c
    PROPERTIES COMPILE_OPTIONS "${avx512_flags};${fused_flags}")
# No quicker if longer.
if(CMAKE_BUILD_TYPE STREQUAL Release)
    set_property(SOURCE src/device/cpu/odd_avx2.c src/device/cpu/odd_avx512.c
        APPEND PROPERTY COMPILE_OPTIONS -Os)
endif()
# Moves of single elements are loops of a few instructions, which took 1.4 times as long where they
# crossed a line of the cache.
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    set_property(SOURCE src/device/cpu/abreast_avx2.c src/device/cpu/odd_half_avx2.c
        src/device/cpu/general_avx2_f32.c src/device/cpu/general_avx2_f64.c
        APPEND PROPERTY COMPILE_OPTIONS -falign-loops=32)
endif()
set_property(SOURCE src/device/cpu/sum_basic.c src/device/cpu/sum_avx2.c
    src/device/cpu/sum_avx512.c APPEND PROPERTY COMPILE_OPTIONS "${weft_straight_flags}")
include(cmake/codelets.cmake)

set(weft_objects "")
foreach(target weft_lower weft_upper ${weft_codelet_targets})
    list(APPEND weft_objects $<TARGET_OBJECTS:${target}>)
endforeach()

# Everything, for the tests.
add_library(weft_internal STATIC ${weft_objects})
target_include_directories(weft_internal PUBLIC ${weft_include_dirs})
target_link_libraries(weft_internal PUBLIC m Threads::Threads ${CMAKE_DL_LIBS})
set_target_properties(weft_internal PROPERTIES LINKER_LANGUAGE C)

# libweft.so: its symbols are those of src/weft.map.
set(version_script ${PROJECT_SOURCE_DIR}/src/weft.map)
add_library(weft SHARED ${weft_objects})
add_library(weft::weft ALIAS weft)
target_link_libraries(weft PRIVATE m Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(weft PRIVATE -Wl,--version-script=${version_script} -Wl,--as-needed)
if(NOT WEFT_SANITIZE)
    target_link_options(weft PRIVATE -Wl,--no-undefined)
endif()
# The tables of codelets are pointers by the thousand, whose relocations of 24 bytes each pack into
# bits where linker and libc (glibc from 2.36, musl from 1.2.4) know how.
include(CheckLinkerFlag)
check_linker_flag(C -Wl,-z,pack-relative-relocs WEFT_PACKS_RELOCATIONS)
if(WEFT_PACKS_RELOCATIONS)
    target_link_options(weft PRIVATE -Wl,-z,pack-relative-relocs)
endif()
set_target_properties(weft PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINKER_LANGUAGE C LINK_DEPENDS ${version_script})

# libweft.a: linked into one object whose hidden symbols are made local, so that no name inside
# can clash with one of the program that links it.
set(combined ${PROJECT_BINARY_DIR}/weft_combined.o)
add_custom_command(OUTPUT ${combined}
    COMMAND ${CMAKE_LINKER} -r -o ${combined} --whole-archive $<TARGET_FILE:weft_internal>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${combined}
    DEPENDS weft_internal VERBATIM COMMENT "Combining the objects of libweft.a")
add_library(weft_static STATIC ${combined})
add_library(weft::weft_static ALIAS weft_static)
set_source_files_properties(${combined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
target_link_libraries(weft_static PUBLIC m Threads::Threads ${CMAKE_DL_LIBS})
set_target_properties(weft_static PROPERTIES OUTPUT_NAME weft LINKER_LANGUAGE C)

foreach(target weft weft_static)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
