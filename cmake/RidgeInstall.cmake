# Install rules and the CMake package: `find_package(ridge)` then link `ridge::ridge`.
# All paths in the package are relative to it, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ridge")
get_property(layers GLOBAL PROPERTY RIDGE_LAYERS)

install(TARGETS ${layers} ridge_library EXPORT ridgeTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/ridge/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ridge"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
install(EXPORT ridgeTargets NAMESPACE ridge:: DESTINATION "${package_dir}")
if(TARGET ridge)
  install(TARGETS ridge ridge-opt RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/ridgeConfig.cmake.in" "${PROJECT_BINARY_DIR}/ridgeConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor release may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ridgeConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ridgeConfig.cmake"
              "${PROJECT_BINARY_DIR}/ridgeConfigVersion.cmake"
        DESTINATION "${package_dir}")
