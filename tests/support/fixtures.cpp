// tests/support/fixtures.cpp: where the files written by other programs are. Only this file knows
// the folder, so that a compiler cache serves the tests of every build.
#include <string>

namespace quickselection {

std::string fixtures_folder() { return QS_FIXTURES; }

}  // namespace quickselection
