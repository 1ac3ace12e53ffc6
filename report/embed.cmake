# report/embed.cmake: bundles report/src into a source file, ${QS_REPORT_BUNDLE}, that holds the
# page's script and style. Packages go below the build folder; the source tree stays clean.
set(QS_REPORT_BUILD ${CMAKE_BINARY_DIR}/report)
set(QS_REPORT_BUNDLE ${QS_REPORT_BUILD}/bundle.cpp)
find_program(QS_NPM npm)
find_program(QS_NODE NAMES node nodejs)

if(QS_REPORT AND QS_NPM AND QS_NODE)
  set(QS_REPORT_FOLDER ${PROJECT_SOURCE_DIR}/report)
  file(GLOB_RECURSE QS_REPORT_SOURCES CONFIGURE_DEPENDS
    ${QS_REPORT_FOLDER}/src/*.ts ${QS_REPORT_FOLDER}/src/*.css)
  set(QS_REPORT_PACKAGES ${QS_REPORT_FOLDER}/package.json ${QS_REPORT_FOLDER}/package-lock.json)
  add_custom_command(OUTPUT ${QS_REPORT_BUILD}/packages.done
    COMMAND ${CMAKE_COMMAND} -E make_directory ${QS_REPORT_BUILD}
    COMMAND ${CMAKE_COMMAND} -E copy ${QS_REPORT_PACKAGES} ${QS_REPORT_BUILD}
    COMMAND ${CMAKE_COMMAND} -E chdir ${QS_REPORT_BUILD}
            ${QS_NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund --silent
    COMMAND ${CMAKE_COMMAND} -E touch ${QS_REPORT_BUILD}/packages.done
    DEPENDS ${QS_REPORT_PACKAGES}
    COMMENT "Fetching the packages of the report (without network: -DQS_REPORT=OFF)")
  add_custom_command(OUTPUT ${QS_REPORT_BUNDLE}
    COMMAND ${CMAKE_COMMAND} -E chdir ${QS_REPORT_BUILD}
            ${QS_NODE} ${QS_REPORT_FOLDER}/build.mjs ${QS_REPORT_BUNDLE}
    DEPENDS ${QS_REPORT_BUILD}/packages.done ${QS_REPORT_FOLDER}/build.mjs ${QS_REPORT_SOURCES}
    COMMENT "Bundling the report")
else()
  if(QS_REPORT)
    message(WARNING "npm was not found: the program will not write reports")
  endif()
  file(WRITE ${QS_REPORT_BUNDLE} "#include \"report/bundle.h\"\n"
    "const quickselection::Bundle quickselection::kBundle{};\n")
endif()
