#!/usr/bin/env python3
# scripts/check_layers_test.py: makes small trees with one fault each and sees check_layers.py fail.
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "check_layers.py"

GOOD_TREE = {
    "include/quickselection/error.h": "#include <string>\n",
    "include/quickselection/dataset.h": '#include "quickselection/value_type.h"\n',
    "include/quickselection/value_type.h": "#include <cstdint>\n",
    "src/core/team.cpp": "#include <immintrin.h>\nvoid f() { _mm_pause(); }\n",
    "src/kernels/layer/layer.cpp": "#include <hwy/highway.h>\n",
    "src/data/scaling/scaler.h": '#include "core/team.h"\n#include "quickselection/dataset.h"\n',
    "src/network/training/train.cpp": '#include <fmt/format.h>\n#include "data/scaling/scaler.h"\n',
    "cli/common.h": '#include "report/page.h"\n',
    "cli/main.cpp": '#include "cli/common.h"\n',
    "tests/kernels/lanes_test.cpp": "#include <hwy/highway.h>\n",
    "bench/support/peak.cpp": "#include <hwy/highway.h>\n",
}


def run(tree):
    """Files get a proper first line unless they bring one."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            file = Path(root) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            head = "" if text.startswith("//") else f"// {path}: something.\n"
            file.write_text(head + text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True,
                              check=False)


class CheckLayers(unittest.TestCase):
    def refuses(self, path, text, *words):
        """A good tree with this one file in it fails, and the message holds the words."""
        result = run({**GOOD_TREE, path: text})
        self.assertEqual(result.returncode, 1, result.stdout)
        complaint = result.stderr.splitlines()[0]
        for word in (path, *words):
            self.assertIn(word, complaint)
        self.assertEqual(len(result.stderr.splitlines()), 2, result.stderr)

    def test_accepts_a_good_tree(self):
        result = run(GOOD_TREE)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(f"{len(GOOD_TREE)} files", result.stdout)

    def test_refuses_an_include_of_a_higher_folder(self):
        self.refuses("src/data/scaling/scaler.cpp", '#include "core/team.h"\n#include "network/training/train.h"\n',
                     ":3:", "network stands above data")

    def test_refuses_it_from_a_room_within_a_folder(self):
        self.refuses("src/data/formats/csv/csv.cpp", '#include "selectors/graph/graph.h"\n',
                     "selectors stands above data")

    def test_refuses_the_highest_from_the_lowest(self):
        self.refuses("src/core/files/hash.h", '#  include "report/page.h"\n', "report stands above core")

    def test_refuses_a_public_header_of_a_higher_layer(self):
        self.refuses("src/kernels/tile.h", '#include "quickselection/dataset.h"\n',
                     "data stands above kernels")

    def test_refuses_it_in_angle_brackets_too(self):
        self.refuses("src/kernels/tile.h", "#include <quickselection/dataset.h>\n",
                     "data stands above kernels")

    def test_refuses_a_public_header_that_includes_a_higher_one(self):
        self.refuses("include/quickselection/setting.h",
                     '#include "quickselection/dataset.h"\n', "data stands above core")

    def test_refuses_internals_in_public_headers(self):
        self.refuses("include/quickselection/setting.h", '#include "core/team.h"\n', "internal")

    def test_refuses_other_libraries_in_public_headers(self):
        self.refuses("include/quickselection/setting.h", "#include <fmt/format.h>\n",
                     "standard library")

    def test_asks_for_the_layer_of_a_new_public_header(self):
        self.refuses("include/quickselection/novelty.h", "#include <string>\n", "PUBLIC")

    def test_asks_for_the_layer_of_an_included_public_header(self):
        self.refuses("src/core/files/hash.h", '#include "quickselection/novelty.h"\n', "PUBLIC")

    def test_refuses_an_option_as_the_command_line_has_it(self):
        for text in ('f("lower --epochs");', 'f("a", "lower --epochs");', 'f("--{} is 1");'):
            self.refuses("src/data/x.cpp", f"\n  {text}\n", ":3:", "‹name›")

    def test_accepts_options_in_comments_and_minus_signs_in_code(self):
        for text in ('// see "--epochs"', 'f("a", --count, "b");', 'f("a -- b");'):
            self.assertEqual(run({**GOOD_TREE, "src/data/x.cpp": "\n" + text + "\n"}).returncode, 0, text)

    def test_refuses_a_folder_that_is_no_layer(self):
        self.refuses("src/helpers/text.cpp", "#include <string>\n", "src/LAYER/")

    def test_refuses_a_source_outside_the_folders(self):
        self.refuses("src/text.cpp", "#include <string>\n", "src/LAYER/")

    def test_refuses_an_include_that_is_in_no_layer(self):
        self.refuses("src/core/files/hash.h", '#include "elsewhere.h"\n', "in no layer")

    def test_keeps_simd_in_the_kernels(self):
        for header in ("hwy/highway.h", "immintrin.h", "emmintrin.h", "arm_neon.h"):
            self.refuses("src/data/formats/csv/csv.cpp", f"#include <{header}>\n", "SIMD")
        self.refuses("cli/terminal.cpp", "#include <hwy/highway.h>\n", "SIMD")
        self.refuses("tests/data/formats/csv/csv_test.cpp", "#include <hwy/highway.h>\n", "SIMD")

    def test_keeps_mpi_in_one_file(self):
        self.refuses("src/core/processes/comm.cpp", "#include <mpi.h>\n", "mpi_module.cpp alone")
        module = {"src/core/processes/mpi_module.cpp": "#include <mpi.h>\n"}
        self.assertEqual(run({**GOOD_TREE, **module}).returncode, 0)

    def test_lets_the_team_pause_and_nothing_more(self):
        self.refuses("src/core/team.cpp", "#include <immintrin.h>\n_mm_pause(); _mm256_add_ps();\n",
                     "_mm256_add_ps")
        self.refuses("src/core/team.cpp", "#include <hwy/highway.h>\n", "SIMD")

    def test_wants_every_file_to_open_with_its_path_and_purpose(self):
        for head in ("// src/core/other.h: a hash.", "// src/core/files/hash.h", "// a hash."):
            self.refuses("src/core/files/hash.h", head + "\n", "src/core/files/hash.h")

    def test_refuses_a_file_that_points_at_a_header_that_is_not_there(self):
        self.refuses("src/core/files/hash.cpp", "// src/core/files/hash.cpp: see rash.h.\n", "see rash.h")

    def test_refuses_a_tree_without_sources(self):
        self.assertEqual(run({}).returncode, 1)


if __name__ == "__main__":
    unittest.main()
