# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed, in two components, and the two .deb packages made of them:
#   application   vitrine, vitrine-cli, desktop entry, icon, metainfo, MIME type, licences
#   cuda          the CUDA plugin, where it was built
# `cmake --install BUILD --component application --prefix P`;  `cpack --config BUILD/CPackConfig.cmake` in BUILD.
include(GNUInstallDirs)

function(vitrine_install_desktop)
    set(id org.vitrine.Vitrine)
    set(desktop "${CMAKE_SOURCE_DIR}/packaging/desktop")
    configure_file("${desktop}/${id}.metainfo.xml.in" "${CMAKE_BINARY_DIR}/${id}.metainfo.xml" @ONLY)
    install(FILES "${desktop}/${id}.desktop" DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT application)
    install(FILES "${CMAKE_BINARY_DIR}/${id}.metainfo.xml" DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT application)
    install(FILES "${desktop}/${id}.mime.xml" RENAME ${id}.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT application)
    install(FILES "${CMAKE_SOURCE_DIR}/resources/icons/vitrine.svg" RENAME ${id}.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT application)
endfunction()

# Everything compiled in has its text beside the program; shared libraries bring their own.
function(vitrine_install_licences folder component)
    set(doc ${CMAKE_INSTALL_DATADIR}/doc/${folder})
    install(FILES "${CMAKE_SOURCE_DIR}/packaging/deb/copyright" DESTINATION ${doc} COMPONENT ${component})
    if(NOT component STREQUAL "application")
        return()
    endif()
    install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" RENAME GPL-3.0.txt DESTINATION ${doc}/licences COMPONENT application)
    install(DIRECTORY "${CMAKE_SOURCE_DIR}/packaging/licences/" DESTINATION ${doc}/licences COMPONENT application)
    foreach(package fonts-inter fonts-jetbrains-mono nlohmann-json3-dev libcli11-dev libexpected-dev libxxhash-dev)
        if(EXISTS "/usr/share/doc/${package}/copyright")
            install(FILES "/usr/share/doc/${package}/copyright" RENAME ${package}.txt
                DESTINATION ${doc}/licences COMPONENT application)
        endif()
    endforeach()
endfunction()

vitrine_install_desktop()
vitrine_install_licences(vitrine application)
if(TARGET vitrine_cuda)
    install(TARGETS vitrine_cuda LIBRARY DESTINATION lib/vitrine COMPONENT cuda)
    vitrine_install_licences(vitrine-cuda cuda)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vitrine)
set(CPACK_PACKAGE_VENDOR "The Vitrine authors")
set(CPACK_PACKAGE_CONTACT "The Vitrine authors <vitrine@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Chat with local language models and see how they run")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL application)
if(TARGET vitrine_cuda)
    list(APPEND CPACK_COMPONENTS_ALL cuda)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_APPLICATION_PACKAGE_NAME vitrine)
set(CPACK_DEBIAN_APPLICATION_PACKAGE_SECTION science)
# Loaded at run time, so that no library name leads to them: SVG icons, the database driver, the window systems.
set(CPACK_DEBIAN_APPLICATION_PACKAGE_DEPENDS
    "libqt6sql6-sqlite, qt6-qpa-plugins, libqt6svg6 | libqt6svg6t64, libxcb-cursor0")
set(CPACK_DEBIAN_APPLICATION_PACKAGE_RECOMMENDS "qt6-wayland, qt6-translations-l10n, hicolor-icon-theme, desktop-file-utils, shared-mime-info")
set(CPACK_DEBIAN_APPLICATION_PACKAGE_SUGGESTS "vitrine-cuda")
set(CPACK_COMPONENT_APPLICATION_DESCRIPTION
    "Runs GGUF language models on the CPU, with a window that shows KV blocks,\nbatches and caches live, and a local HTTP interface for other programs.")
set(CPACK_DEBIAN_CUDA_PACKAGE_NAME vitrine-cuda)
set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION contrib/science)
# cuBLAS and the driver come from NVIDIA's packages under names that change with the version.
set(CPACK_DEBIAN_CUDA_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "vitrine (= ${PROJECT_VERSION}), libc6, libstdc++6")
set(CPACK_DEBIAN_CUDA_PACKAGE_RECOMMENDS "libcublas-13-0 | libcublas13")
set(CPACK_COMPONENT_CUDA_DESCRIPTION
    "Lets Vitrine compute on an NVIDIA GPU. Needs the NVIDIA driver and cuBLAS of\nCUDA 13; without them Vitrine goes on with the CPU and says why.")
include(CPack)
