# report/embed.cmake: bundles report/src into a source file, ${QS_REPORT_BUNDLE}, that holds the
# page's script and style.
set(QS_REPORT_BUNDLE ${CMAKE_BINARY_DIR}/report/bundle.cpp)
find_program(QS_ESBUILD esbuild)

if(QS_REPORT AND QS_ESBUILD)
  set(QS_REPORT_FOLDER ${PROJECT_SOURCE_DIR}/report)
  file(GLOB_RECURSE QS_REPORT_SOURCES CONFIGURE_DEPENDS
    ${QS_REPORT_FOLDER}/src/*.ts ${QS_REPORT_FOLDER}/src/*.css)
  add_custom_command(OUTPUT ${QS_REPORT_BUNDLE}
    COMMAND ${QS_REPORT_FOLDER}/bundle.sh ${QS_REPORT_BUNDLE}
    DEPENDS ${QS_REPORT_FOLDER}/bundle.sh ${QS_REPORT_SOURCES}
    COMMENT "Bundling the report")
else()
  if(QS_REPORT)
    message(WARNING "esbuild was not found: the program will not write reports")
  endif()
  file(WRITE ${QS_REPORT_BUNDLE} "#include \"report/bundle.h\"\n"
    "const quickselection::Bundle quickselection::kBundle{};\n")
endif()
