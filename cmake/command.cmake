# The command, build/weft. All of it but main is a library, so that tests can reach its parts.

find_package(PkgConfig REQUIRED)
pkg_check_modules(command_libraries REQUIRED IMPORTED_TARGET libpng sndfile jansson popt)

file(GLOB reference_sources CONFIGURE_DEPENDS reference/*.c)
add_library(reference STATIC ${reference_sources})
target_include_directories(reference PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(reference PRIVATE weft_flags PUBLIC m)
if(WEFT_SANITIZE)
    # Much of the tests' time goes here, and no two threads ever share what it works on.
    target_compile_options(reference PRIVATE -O2 -fno-sanitize=thread)
endif()

file(GLOB command_sources CONFIGURE_DEPENDS cli/*.c)
list(REMOVE_ITEM command_sources ${PROJECT_SOURCE_DIR}/cli/main.c)
add_library(command_parts STATIC ${command_sources})
target_include_directories(command_parts PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(command_parts PRIVATE weft_flags
    PUBLIC reference PkgConfig::command_libraries m ${CMAKE_DL_LIBS})

# Linked with libweft.a, so that build/weft can be copied anywhere.
add_executable(command cli/main.c)
target_link_libraries(command PRIVATE weft_flags command_parts weft_static)
set_target_properties(command PROPERTIES
    OUTPUT_NAME weft RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c)
foreach(source ${example_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE weft_flags weft m)
    if(name MATCHES vulkan) # the example's own Vulkan; weft opens the loader itself
        target_link_libraries(example_${name} PRIVATE vulkan)
    endif()
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
endforeach()
