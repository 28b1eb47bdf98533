# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the bundled fonts (once, while configuring) and gives the .qrc files to embed in VITRINE_QRC_FILES.
set(VITRINE_INTER_DIR "/usr/share/fonts/opentype/inter" CACHE PATH "Folder of Inter-*.otf (package fonts-inter)")
set(VITRINE_MONO_DIR "/usr/share/fonts/truetype/jetbrains-mono" CACHE PATH
    "Folder of JetBrainsMono-*.ttf (package fonts-jetbrains-mono)")

function(vitrine_make_fonts output)
    if(EXISTS "${output}/vitrine_fonts.qrc" AND "${output}/vitrine_fonts.qrc" IS_NEWER_THAN
        "${CMAKE_SOURCE_DIR}/resources/build_fonts.py")
        return()
    endif()
    # The distribution's interpreter first: a virtual environment in PATH seldom has fontTools.
    set(python "")
    foreach(candidate /usr/bin/python3 python3)
        execute_process(COMMAND ${candidate} -c "import fontTools" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        if(failed EQUAL 0)
            set(python ${candidate})
            break()
        endif()
    endforeach()
    if(NOT python)
        message(FATAL_ERROR "The bundled fonts are made with fontTools, which no Python here has: install the package python3-fonttools.")
    endif()
    execute_process(COMMAND ${python} "${CMAKE_SOURCE_DIR}/resources/build_fonts.py"
        "${VITRINE_INTER_DIR}" "${VITRINE_MONO_DIR}" "${output}" RESULT_VARIABLE failed ERROR_VARIABLE message)
    if(NOT failed EQUAL 0)
        message(FATAL_ERROR "The bundled fonts could not be made: ${message}")
    endif()
endfunction()

vitrine_make_fonts("${CMAKE_BINARY_DIR}/fonts")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/resources/build_fonts.py")

# Translations: resources/i18n/*.ts become :/i18n/*.qm.
find_package(Qt6 6.4 REQUIRED COMPONENTS LinguistTools)
file(GLOB vitrine_ts_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/resources/i18n/*.ts")
set_source_files_properties(${vitrine_ts_files} PROPERTIES OUTPUT_LOCATION "${CMAKE_BINARY_DIR}/i18n")
qt6_add_translation(VITRINE_QM_FILES ${vitrine_ts_files})
set(vitrine_i18n_qrc "<RCC>\n  <qresource prefix=\"/i18n\">\n")
foreach(qm ${VITRINE_QM_FILES})
    get_filename_component(name "${qm}" NAME)
    string(APPEND vitrine_i18n_qrc "    <file>${name}</file>\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/i18n/vitrine_i18n.qrc" CONTENT "${vitrine_i18n_qrc}  </qresource>\n</RCC>\n" @ONLY)
set(VITRINE_QRC_FILES "${CMAKE_SOURCE_DIR}/resources/vitrine.qrc" "${CMAKE_BINARY_DIR}/fonts/vitrine_fonts.qrc"
    "${CMAKE_BINARY_DIR}/i18n/vitrine_i18n.qrc")
