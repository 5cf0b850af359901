# The tests: cmocka programs tests/test_*.c, fuzz targets tests/fuzz/fuzz_*.c, shell scripts
# tests/cli_*.sh, and the checks of the source itself.

find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

set(test_libraries weft_flags command_parts reference weft_internal)

# What several tests share.
file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(test_support STATIC ${support_sources})
target_include_directories(test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(test_support PUBLIC WEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               WEFT_BINARY_DIR="${PROJECT_BINARY_DIR}")
target_link_libraries(test_support PUBLIC ${test_libraries})

file(GLOB test_sources CONFIGURE_DEPENDS tests/test_*.c)
foreach(source ${test_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE test_support PkgConfig::cmocka)
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_test(NAME ${name} COMMAND ${name})
    # Nothing is kept between runs, and no driver of OpenCL or Vulkan loaded, but where a test asks
    # for it.
    set_tests_properties(${name} PROPERTIES TIMEOUT 1200
        ENVIRONMENT "WEFT_CACHE_DIR=;WEFT_OPENCL=;WEFT_VULKAN=")
endforeach()

# It decides by chance what is shared, in the place of the model.
target_link_options(test_dealt PRIVATE -Wl,--wrap=cost_program)

# test_cuda needs no GPU: a driver and a compiler that pretend stand in the way of the real ones.
# Their coroutines are more than the thread sanitizer can follow.
if(NOT WEFT_SANITIZE MATCHES thread)
    set(fake_folder ${PROJECT_BINARY_DIR}/tests/fake)
    file(GLOB fake_cuda_sources CONFIGURE_DEPENDS tests/fake/cuda_*.c)
    add_library(fake_cuda SHARED ${fake_cuda_sources})
    set_target_properties(fake_cuda PROPERTIES OUTPUT_NAME cuda SOVERSION 1)
    add_library(fake_nvrtc SHARED tests/fake/nvrtc.c)
    foreach(target fake_cuda fake_nvrtc)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
        target_link_libraries(${target} PRIVATE weft_flags Threads::Threads ${CMAKE_DL_LIBS})
        set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${fake_folder})
        add_dependencies(test_cuda ${target})
    endforeach()
    set_tests_properties(test_cuda PROPERTIES ENVIRONMENT
        "WEFT_CACHE_DIR=;WEFT_VULKAN=;CC=${CMAKE_C_COMPILER};LD_LIBRARY_PATH=${fake_folder};\
WEFT_NVRTC=$<TARGET_FILE:fake_nvrtc>")
endif()

# tests/cli_bench.sh has no MKL.
add_library(fake_mkl SHARED tests/fake/mkl.c)
target_link_libraries(fake_mkl PRIVATE weft_flags m)
set_target_properties(fake_mkl PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/fake)

include(cmake/fuzz.cmake)

# The scripts are given the command, the source and the build folder, and the compiler.
file(GLOB script_tests CONFIGURE_DEPENDS tests/cli_*.sh)
foreach(script ${script_tests})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME ${name} COMMAND sh ${script})
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77
        ENVIRONMENT "WEFT_CACHE_DIR=;WEFT_OPENCL=;WEFT_VULKAN=;WEFT=${PROJECT_BINARY_DIR}/weft;\
WEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR};\
WEFT_BINARY_DIR=${PROJECT_BINARY_DIR};WEFT_SANITIZE=${WEFT_SANITIZE};CC=${CMAKE_C_COMPILER}")
endforeach()

foreach(check layers style)
    add_test(NAME check_${check}
        COMMAND sh ${PROJECT_SOURCE_DIR}/tools/check_${check}.sh ${PROJECT_SOURCE_DIR})
endforeach()
