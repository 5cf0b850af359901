# The file that names this build (src/device/gpu/identity.h), made anew whenever a source changes.
# Sets weft_identity.

set(weft_identity ${PROJECT_BINARY_DIR}/generated/identity.c)
file(GLOB_RECURSE identity_sources CONFIGURE_DEPENDS src/*.c src/*.h include/*.h)
string(TOUPPER "${CMAKE_BUILD_TYPE}" identity_type)
string(JOIN " " identity_words "${CMAKE_C_COMPILER_ID}" "${CMAKE_C_COMPILER_VERSION}"
       "${CMAKE_SYSTEM_PROCESSOR}" "${CMAKE_C_FLAGS}" "${CMAKE_C_FLAGS_${identity_type}}"
       "${WEFT_SANITIZE}")
add_custom_command(OUTPUT ${weft_identity}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${weft_identity} -DFOLDER=${PROJECT_SOURCE_DIR}
            "-DWORDS=${identity_words}" -P ${PROJECT_SOURCE_DIR}/cmake/write_identity.cmake
    DEPENDS ${identity_sources} ${PROJECT_SOURCE_DIR}/cmake/write_identity.cmake
    VERBATIM COMMENT "Naming this build")
