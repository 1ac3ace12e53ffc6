"""tests/cli/install_test.py: what `cmake --install` puts in place works for people who were not here."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(user CXX)
find_package(quickselection REQUIRED)
add_executable(user {source})
target_link_libraries(user PRIVATE quickselection::quickselection)
"""


def run(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    build = Path(os.environ["QUICKSELECTION_BIN"]).resolve().parents[1]
    if not (build / "CMakeCache.txt").exists():
        pytest.skip("this program was not built here")
    prefix = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_cmake_project_finds_the_library(installed, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        PROJECT.format(source=ROOT / "examples" / "select.cpp"))
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", tmp_path / "build")
    assert (tmp_path / "build" / "user").exists()


def test_pkg_config_finds_the_library(installed, tmp_path):
    folder = next(installed.rglob("quickselection.pc")).parent
    asked = {**os.environ, "PKG_CONFIG_PATH": str(folder)}
    flags = run("pkg-config", "--cflags", "--libs", "quickselection", env=asked).split()
    run("c++", "-std=c++20", ROOT / "examples" / "select.cpp", "-o", tmp_path / "user", *flags)


def test_the_example_of_the_readme_works_and_catches_its_errors(installed, tmp_path):
    example = re.search("```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    (tmp_path / "readme.cpp").write_text(example)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(source="readme.cpp"))
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", tmp_path / "build")
    rows = "".join(f"{i % 7},{i % 5},{(3 * i) % 11}\n" for i in range(40))
    (tmp_path / "data.csv").write_text("a,b,c\n" + rows)
    user = tmp_path / "build" / "user"
    assert sorted(run(user, tmp_path / "data.csv").split()) == ["a", "b", "c"]
    (tmp_path / "bad.csv").write_text("a,b\n1,2\nx,3\n4,5\n")
    for name, says in [("missing.csv", "missing.csv"), ("bad.csv", "'x' is not a number")]:
        done = subprocess.run([user, tmp_path / name], capture_output=True, text=True)
        assert done.returncode == 1 and says in done.stderr, done


def test_nothing_else_is_installed(installed):
    kinds = {re.sub(r"^lib/[^/]*-linux-gnu/", "lib/", name) for name in files_below(installed)}
    headers = {f"include/{path.relative_to(ROOT / 'include')}"
               for path in (ROOT / "include").rglob("*.h")}
    cmake = {name for name in kinds if name.startswith("lib/cmake/quickselection/")}
    beside = Path(os.environ["QUICKSELECTION_BIN"]).with_name("quickselection-mpi.so")
    of_mpi = {"lib/quickselection/quickselection-mpi.so"} if beside.exists() else set()
    assert kinds - headers - cmake == of_mpi | {
        "bin/quickselection", "lib/libquickselection.a", "lib/pkgconfig/quickselection.pc",
        "share/man/man1/quickselection.1",
        "share/bash-completion/completions/quickselection",
        "share/zsh/vendor-completions/_quickselection",
        "share/fish/vendor_completions.d/quickselection.fish"}
    assert headers <= kinds


def test_the_man_page_names_every_command_and_option(installed):
    page = (installed / "share/man/man1/quickselection.1").read_text().replace("\\-", "-")
    program = installed / "bin" / "quickselection"
    for command in re.findall(r"^  (\w+) ", run(program, "--help").split("Subcommands:")[1], re.M):
        assert f"QUICKSELECTION {command.upper()}" in page
        for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(program, command, "--help"), re.M):
            assert option in page, (command, option)
    if shutil.which("man"):
        warnings = subprocess.run(["man", "--warnings", "-l", "-Tutf8",
                                   str(installed / "share/man/man1/quickselection.1")],
                                  capture_output=True, text=True).stderr
        assert warnings == ""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_commands_options_and_words(installed):
    completion = installed / "share/bash-completion/completions/quickselection"

    def completed(*words):
        line = " ".join(f"'{word}'" for word in words)
        return run("bash", "-c", f"source {completion}; COMP_WORDS=({line}); "
                   f"COMP_CWORD={len(words) - 1}; _quickselection; "
                   'printf "%s\\n" "${COMPREPLY[@]}"').split()

    assert completed("quickselection", "sel") == ["select"]
    assert "--epochs" in completed("quickselection", "select", "--ep")
    assert completed("quickselection", "nonsense", "--ep") == []
