# The CPU codelets: generated while building from the IR of the butterflies, once for every
# instruction set and precision, in several files so that they compile side by side.
# Sets weft_codelet_targets, the object libraries made.

set(WEFT_CODELET_PARTS 4 CACHE STRING "Files that each set of codelets is generated in")
# Nothing unwinds through codelets: tables for it would be a sixth of them.
set(WEFT_CODELET_FLAGS "-O2 -fno-asynchronous-unwind-tables" CACHE STRING
    "Flags all codelets are compiled with")
set(WEFT_HOST_CODELETS "" CACHE FILEPATH
    "A codelet generator already built for this host; needed to cross-compile")
mark_as_advanced(WEFT_CODELET_PARTS WEFT_CODELET_FLAGS)

# Fused operations are explicit in what is generated: the compiler must make no others.
set(codelet_flags_scalar -Os)
set(codelet_flags_sse2 -Os -msse2)
set(codelet_flags_avx2 -mavx2 -mfma -ffp-contract=off)
# Tuned for any x86-64, gcc spills addresses to vector registers and fetches them back by the ports
# that arithmetic needs. (Experiment "ports" in docs/experiments.)
set(codelet_flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma
    -mtune=skylake-avx512 -mprefer-vector-width=512 -ffp-contract=off)
# Before it gives values registers gcc brings uses nearer to definitions: half as many are spilled.
# (Experiment "ranges of values" in docs/experiments.)
set(codelet_flags_beside "")
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    # A leg is at a distance from its base, and no step further than the one before.
    list(APPEND codelet_flags_beside -fno-tree-slsr)
    list(APPEND codelet_flags_avx2 -flive-range-shrinkage)
    list(APPEND codelet_flags_avx512 -flive-range-shrinkage)
endif()
set(codelet_flags_avx512vl ${codelet_flags_avx512})
set(codelet_flags_fma -mavx2 -mfma -ffp-contract=off)
set(codelet_flags_neon -ffp-contract=off)

# The widths of vectors, in lanes, that line codelets use (src/kernel/line.c).
set(codelet_widths_avx2_f32 4 8)
set(codelet_widths_avx2_f64 4)
set(codelet_widths_avx512_f32 4 8 16)
set(codelet_widths_avx512_f64 4)
# Likewise of those that are two steps between vectors of pairs.
set(pair_widths_avx2_f64 4)
set(pair_widths_avx2_f32 8)
set(pair_widths_avx512_f32 16)
set(pair_widths_avx512_f64 8)
set(codelet_widths_fma_f32 1)
set(codelet_widths_fma_f64 1)
set(codelet_widths_neon_f32 4)
set(codelet_widths_neon_f64 2)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(codelet_sets scalar sse2 avx2 avx512 avx512vl fma)
    set(codelet_options_scalar --legs) # only for lanes that vectors leave over
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(codelet_sets scalar neon)
    set(codelet_options_scalar --legs)
else()
    set(codelet_sets scalar)
endif()

if(WEFT_HOST_CODELETS)
    set(generator ${WEFT_HOST_CODELETS})
elseif(CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "Cross-compiling needs a codelet generator that runs here: build weft "
                        "for this host first and pass -DWEFT_HOST_CODELETS=BUILD/codelets")
else()
    add_library(weft_generator STATIC $<TARGET_OBJECTS:weft_lower>)
    set_target_properties(weft_generator PROPERTIES LINKER_LANGUAGE C)
    add_executable(codelets tools/codelets.c tools/counts.c tools/exchange.c tools/lines.c
        tools/options.c tools/sums.c)
    target_include_directories(codelets PRIVATE ${weft_include_dirs})
    target_link_libraries(codelets PRIVATE weft_flags weft_generator m Threads::Threads)
    set_target_properties(codelets PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    set(generator codelets)
endif()

# Generates one file. It is touched only if its text changes, so that work on the lower layers
# does not compile every codelet again.
function(weft_generate output)
    add_custom_command(OUTPUT ${output}
        COMMAND ${generator} ${ARGN} --output ${output}.new
        COMMAND ${CMAKE_COMMAND} -E copy_if_different ${output}.new ${output}
        COMMAND ${CMAKE_COMMAND} -E rm -f ${output}.new
        DEPENDS ${generator} VERBATIM COMMENT "Generating ${output}")
endfunction()

# One set of codelets: a precision of an instruction set.
function(weft_codelet_set isa precision)
    set(folder ${PROJECT_BINARY_DIR}/generated/${isa}_${precision})
    file(MAKE_DIRECTORY ${folder})
    set(parts "")
    if(NOT isa STREQUAL avx512vl) # which has steps between pairs alone
        math(EXPR last "${WEFT_CODELET_PARTS} - 1")
        foreach(part RANGE ${last})
            set(file ${folder}/codelets_${part}.c)
            weft_generate(${file} --isa ${isa} --precision ${precision}
                          --part ${part} --parts ${WEFT_CODELET_PARTS} ${codelet_options_${isa}})
            list(APPEND parts ${file})
        endforeach()
    endif()
    foreach(width ${codelet_widths_${isa}_${precision}})
        set(file ${folder}/lines_${width}.c)
        weft_generate(${file} --isa ${isa} --precision ${precision} --lines ${width})
        list(APPEND parts ${file})
    endforeach()
    foreach(width ${pair_widths_${isa}_${precision}})
        set(file ${folder}/pair_lines_${width}.c)
        weft_generate(${file} --isa ${isa} --precision ${precision} --pairs --lines ${width})
        list(APPEND parts ${file})
    endforeach()
    if(isa MATCHES "^avx")
        weft_generate(${folder}/pairs_beside.c --isa ${isa} --precision ${precision} --pairs
                      --beside)
        list(APPEND parts ${folder}/pairs_beside.c)
    endif()
    if(isa MATCHES "^avx(2|512)$")
        weft_generate(${folder}/pairs.c --isa ${isa} --precision ${precision} --pairs)
        list(APPEND parts ${folder}/pairs.c)
    endif()
    weft_generate(${folder}/table.c --isa ${isa} --precision ${precision} --table
                  ${codelet_options_${isa}})

    separate_arguments(flags NATIVE_COMMAND "${WEFT_CODELET_FLAGS}")
    list(APPEND flags ${codelet_flags_${isa}})
    list(APPEND flags ${weft_straight_flags})
    # The table is data that every machine reads, so it gets no flags of the instruction set.
    set_source_files_properties(${parts} PROPERTIES COMPILE_OPTIONS "${flags}")
    if(isa MATCHES "^avx")
        set_source_files_properties(${folder}/pairs_beside.c
            PROPERTIES COMPILE_OPTIONS "${flags};${codelet_flags_beside}")
    endif()
    set_source_files_properties(${folder}/table.c
        PROPERTIES COMPILE_OPTIONS -fno-asynchronous-unwind-tables)
    weft_object_library(codelets_${isa}_${precision} ${parts} ${folder}/table.c)
endfunction()

set(weft_codelet_targets "")
foreach(isa ${codelet_sets})
    foreach(precision f32 f64)
        weft_codelet_set(${isa} ${precision})
        list(APPEND weft_codelet_targets codelets_${isa}_${precision})
    endforeach()
endforeach()
