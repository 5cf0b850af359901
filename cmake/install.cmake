# Installing: headers, libraries, weft.pc, the CMake package, the command and its manual page.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS weft weft_static EXPORT weft_targets)
install(EXPORT weft_targets NAMESPACE weft:: FILE weft-targets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/weft-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weft-config.cmake
              ${PROJECT_BINARY_DIR}/weft-config-version.cmake DESTINATION ${package_dir})

# weft.pc finds its prefix from where it lies, so an installed tree may be moved.
file(RELATIVE_PATH WEFT_PREFIX_FROM_PC
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" WEFT_PREFIX_FROM_PC "${WEFT_PREFIX_FROM_PC}")
configure_file(cmake/weft.pc.in ${PROJECT_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET command)
    install(TARGETS command)
    install(FILES docs/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
