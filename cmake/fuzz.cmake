# Fuzz targets. In address builds by clang they are libFuzzer's; elsewhere tests/fuzz/standalone.c
# replays the corpus and mutates it a bounded number of times. Both take the same arguments.

set(WEFT_FUZZ_RUNS 2000 CACHE STRING "Inputs that a test run gives each fuzz target")
mark_as_advanced(WEFT_FUZZ_RUNS)

set(fuzz_driver tests/fuzz/standalone.c)
set(fuzz_flags "")
if(CMAKE_C_COMPILER_ID STREQUAL Clang AND WEFT_SANITIZE MATCHES address)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
    check_c_source_compiles("
        #include <stddef.h>
        #include <stdint.h>
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return !data && size; }"
        WEFT_HAVE_LIBFUZZER)
    unset(CMAKE_REQUIRED_FLAGS)
    if(WEFT_HAVE_LIBFUZZER)
        set(fuzz_driver "")
        set(fuzz_flags -fsanitize=fuzzer)
        foreach(target weft_lower weft_upper command_parts)
            target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        endforeach()
    endif()
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "^fuzz_" "" name ${target})
    add_executable(${target} ${source} ${fuzz_driver})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE test_support)
    target_compile_options(${target} PRIVATE ${fuzz_flags})
    target_link_options(${target} PRIVATE ${fuzz_flags})
    set(found_folder ${PROJECT_BINARY_DIR}/tests/fuzz/found/${name})
    file(MAKE_DIRECTORY ${found_folder})
    set_target_properties(${target} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/fuzz)
    # New inputs go to the first folder: the corpus in the source is only read.
    add_test(NAME ${target}
        COMMAND ${target} -runs=${WEFT_FUZZ_RUNS} -max_total_time=30 -timeout=20 -rss_limit_mb=2048
                ${found_folder} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests/fuzz)
    set_tests_properties(${target} PROPERTIES TIMEOUT 300 ENVIRONMENT "WEFT_CACHE_DIR=")
endforeach()
