# SPDX-License-Identifier: GPL-3.0-or-later
# Language level, warnings and the helpers by which every folder declares its target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

find_program(VITRINE_CCACHE ccache)
if(VITRINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${VITRINE_CCACHE}")
endif()

add_library(vitrine_build_flags INTERFACE)
target_compile_options(vitrine_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor>
    # g++ 12 invents these inside std::string at -O2 (GCC bugs 105329, 105562), from precompiled headers even more.
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${VITRINE_WERROR}>>:-Werror>)
target_include_directories(vitrine_build_flags INTERFACE "${CMAKE_SOURCE_DIR}")

find_package(Threads REQUIRED)
find_package(tl-expected QUIET)
find_path(VITRINE_TL_EXPECTED_DIR tl/expected.hpp REQUIRED)

# Headers that most files of a family of targets include, parsed once for all of it: of three files' compile time 50 to 59 % was
# theirs.  Foreign headers only, so that no edit of ours rebuilds all; not <filesystem>, whose std::quoted would be found beside
# functions of that name.
set(VITRINE_STD_HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <cstring> <deque> <functional> <limits> <map>
    <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant>
    <vector> <tl/expected.hpp>)
set(VITRINE_QT_CORE_HEADERS <QCoreApplication> <QDateTime> <QDir> <QFile> <QHash> <QJsonArray> <QJsonDocument> <QJsonObject>
    <QList> <QLocale> <QMap> <QObject> <QString> <QStringList> <QTimer> <QUrl>)
set(VITRINE_QT_HEADERS ${VITRINE_QT_CORE_HEADERS} <QApplication> <QComboBox> <QHBoxLayout> <QHeaderView> <QKeyEvent> <QLabel>
    <QLineEdit> <QMenu> <QMouseEvent> <QPainter> <QScrollArea> <QScrollBar> <QStyle> <QTableView> <QVBoxLayout> <QWidget>)
set(VITRINE_TEST_HEADERS <gtest/gtest.h> <gmock/gmock.h> ${VITRINE_STD_HEADERS})
set(VITRINE_WINDOW_TEST_HEADERS ${VITRINE_TEST_HEADERS} ${VITRINE_QT_HEADERS} <QSignalSpy> <QTest>)

# vitrine_headers(NAME LINK targets... HEADERS headers... [FOR_PROGRAMS])
# A target that is nothing but precompiled headers, of libraries or FOR_PROGRAMS.  It has only the macros of what it links: g++
# takes no headers that were parsed under a macro which the including file lacks, or without one that they look at.
function(vitrine_headers name)
    cmake_parse_arguments(ARG "FOR_PROGRAMS" "" "LINK;HEADERS" ${ARGN})
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/generated/${name}.cpp" CONTENT "")
    add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/generated/${name}.cpp")
    set_target_properties(${name} PROPERTIES AUTOMOC OFF)
    target_link_libraries(${name} PRIVATE vitrine_build_flags ${ARG_LINK})
    if(ARG_FOR_PROGRAMS) # as CMake compiles those
        set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${name} BEFORE PRIVATE -fPIE)
    endif()
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# vitrine_share_headers(NAME): the headers of VITRINE_HEADERS_OF, which a folder sets.
function(vitrine_share_headers name)
    if(VITRINE_HEADERS_OF)
        target_precompile_headers(${name} REUSE_FROM ${VITRINE_HEADERS_OF})
    endif()
endfunction()

# vitrine_library(NAME FOLDER [LINK targets...] [PRIVATE_LINK targets...])
# One static library from the .cpp files of one folder (not recursive).
function(vitrine_library name folder)
    cmake_parse_arguments(ARG "" "" "LINK;PRIVATE_LINK" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.cpp")
    file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.h")
    if(sources)
        add_library(${name} STATIC ${sources} ${headers})
        target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE vitrine_build_flags ${ARG_PRIVATE_LINK})
        target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
        vitrine_share_headers(${name})
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE ${ARG_LINK})
        target_include_directories(${name} INTERFACE "${CMAKE_SOURCE_DIR}")
    endif()
endfunction()

# vitrine_test(NAME FOLDER LABELS "unit" LINK targets...)
# One gtest binary from the *_test.cpp files below tests/FOLDER (not recursive); every TEST becomes a ctest entry.
function(vitrine_test name folder)
    cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;LINK;SOURCES;ENVIRONMENT" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*_test.cpp")
    list(APPEND sources ${ARG_SOURCES})
    if(NOT sources)
        return()
    endif()
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE vitrine_build_flags ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
    target_compile_definitions(${name} PRIVATE VITRINE_TESTS_DIR="${CMAKE_SOURCE_DIR}/tests")
    # gtest's macros trip these; the product code keeps them.
    target_compile_options(${name} PRIVATE -Wno-conversion -Wno-sign-conversion)
    vitrine_share_headers(${name})
    if(ARG_TIMEOUT) # seconds, where the preset's own do not do
        set(limit TIMEOUT ${ARG_TIMEOUT})
    endif()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
        PROPERTIES LABELS "${ARG_LABELS}" ENVIRONMENT "${ARG_ENVIRONMENT}" ${limit})
endfunction()
