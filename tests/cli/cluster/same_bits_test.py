# tests/cli/cluster/same_bits_test.py: however many processes share the shards, the result is that
# of one, byte for byte.
import numpy as np
import pytest
from scipy import sparse

from processes import TCP, needs_mpi, succeed_processes
from program import fail, read_json, succeed

pytestmark = needs_mpi

ROWS, FEATURES = 331, 30  # no multiple of any number of shards


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(7)
    hidden = random.normal(size=(ROWS, 5))
    values = (hidden @ random.normal(size=(5, FEATURES)) +
              0.3 * random.normal(size=(ROWS, FEATURES))).astype("f4")
    values[:, 3] = 2.5  # constant
    np.save(folder / "dense.npy", values)
    np.savez(folder / "memory.npz", X=values)
    (folder / "parts").mkdir()
    for i, part in enumerate(np.split(values, [1, 90, 200])):
        np.save(folder / "parts" / f"{i}.npy", part)
    np.save(folder / "bytes.npy", random.integers(0, 255, size=(ROWS, FEATURES), dtype="u1"))
    few = np.where(random.random(values.shape) < 0.2, np.abs(values), 0)
    sparse.save_npz(folder / "sparse.npz", sparse.csr_matrix(few))
    large = random.normal(size=(14000, 1000)).astype("f4")  # 56 MB
    np.save(folder / "large.npy", large)
    (folder / "large_parts").mkdir()
    for i, part in enumerate(np.split(large, [5000, 5001])):
        np.save(folder / "large_parts" / f"{i}.npy", part)
    return folder


def outputs(folder, name):
    return ["--ranking", f"{name}.csv", "--json", f"{name}.json", "--checkpoint", f"{name}.state",
            "--no-check", "--quiet"]


def made(folder, name):
    json = read_json(folder / f"{name}.json")
    return ((folder / f"{name}.csv").read_bytes(), (folder / f"{name}.state").read_bytes(),
            json["loss"], json["ranking"] if "ranking" in json else None)


def expect_same(command, folder, counts, over=()):
    succeed(*command, *outputs(folder, "one"), "--threads", 2, cwd=folder)
    expected = made(folder, "one")
    for count in counts:
        succeed_processes(count, *command, *outputs(folder, "many"), "--threads",
                          2 if count == 2 else 1, cwd=folder, over=over)
        assert made(folder, "many") == expected, (command, count)


FAST = ("--epochs", 3, "--hidden", 20)


SHARDS = (1, 4, 12)
DATA = {"mapped": ("dense.npy",), "in memory": ("memory.npz",), "sparse": ("sparse.npz",),
        "in parts": ("parts",),
        "windowed": ("large.npy", "--memory", "105M", "--epochs", 1, "--hidden", 20)}
NETWORKS = (("--optimizer", "sgd"), ("--optimizer", "adagrad"), ("--optimizer", "adam"),
            ("--hidden", "20,10"))


@pytest.mark.parametrize("shards", SHARDS)
@pytest.mark.parametrize("kind", DATA)
def test_any_number_of_processes_gives_the_bits_of_one(files, tmp_path, kind, shards):
    """Each kind of data meets each number of shards, and three of the four networks."""
    name, *options = DATA[kind]
    network = NETWORKS[(list(DATA).index(kind) + SHARDS.index(shards)) % len(NETWORKS)]
    fast = () if options else ("--epochs", 3, "--hidden", 20)
    if "--hidden" in network:
        fast, options = fast[:2], options[:4]
    expect_same(("select", files / name, *fast, *options, *network, "--shards", shards), tmp_path,
                (1, 2, 3, 4))


@pytest.mark.parametrize("command", [
    ("dense.npy", "--optimizer", "adagrad", "--scale", "minmax", "--clip", "2"),
    ("dense.npy", "--optimizer", "adam", "--hidden", "20,10"),
    ("dense.npy", "--batch-size", 300),
    ("bytes.npy", "--scale", "auto", "--noise-mode", "fresh"),
    ("sparse.npz", "--scale", "deviation"),
    ("sparse.npz", "--scale", "auto", "--optimizer", "adam"),
    ("dense.npy", "--method", "fcae", "--optimizer", "adam"),
    ("dense.npy", "--method", "lottery_ticket"),
    ("dense.npy", "--method", "aefs", "--alpha", 0.1),
    ("dense.npy", "--method", "wast"),
    ("sparse.npz", "--method", "wast", "--batch-size", 300, "--lambda", 0.4),
    ("dense.npy", "--method", "concrete_autoencoder", "-k", 4),
    ("bytes.npy", "--method", "concrete_autoencoder", "-k", 3, "--batch-size", 250),
])
def test_methods_optimizers_and_stored_types(files, tmp_path, command):
    name, *options = command
    small = () if "--hidden" in options else ("--hidden", 20)
    expect_same(("select", files / name, "--epochs", 3, *small, "--shards", 5, *options), tmp_path,
                (2, 3))


def test_windows_of_a_mapped_file(files, tmp_path):
    command = ("select", files / "large.npy", "--epochs", 1, "--hidden", 20, "--shards", 4)
    expect_same((*command, "--memory", "105M"), tmp_path, (2, 3))
    windowed = made(tmp_path, "one")
    in_parts = ("select", files / "large_parts", *command[2:], "--memory", "105M")
    expect_same(in_parts, tmp_path, (3,))
    assert made(tmp_path, "one")[:3] == windowed[:3]
    expect_same(command, tmp_path, (2,))
    assert made(tmp_path, "one")[0] != windowed[0]


def test_parts_have_the_bits_of_one_file(files, tmp_path):
    command = (*FAST, "--shards", 4)
    expect_same(("select", files / "dense.npy", *command), tmp_path, ())
    whole = made(tmp_path, "one")
    expect_same(("select", *sorted((files / "parts").glob("*")), *command), tmp_path, (3,))
    assert made(tmp_path, "one") == whole


def test_over_tcp(files, tmp_path):
    expect_same(("select", files / "dense.npy", *FAST, "--shards", 4), tmp_path, (2, 3), over=TCP)


def test_another_number_of_processes_resumes(files, tmp_path):
    base = ("select", files / "dense.npy", "--hidden", 20, "--quiet", "--no-check")
    command = (*base, "--shards", 6)
    succeed(*command, "--epochs", 6, "--ranking", "all.csv", cwd=tmp_path)
    succeed_processes(3, *command, "--epochs", 2, "--checkpoint", "state", cwd=tmp_path)
    succeed_processes(2, *command, "--epochs", 4, "--resume", "state", "--checkpoint", "state",
                      cwd=tmp_path)
    succeed(*command, "--epochs", 6, "--resume", "state", "--ranking", "parts.csv", cwd=tmp_path)
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "all.csv").read_bytes()
    fail(*base, "--epochs", 6, "--resume", "state", "--shards", 5, cwd=tmp_path, code=1,
         says=["--shards was 6, now it is 5"])


def test_shards_change_the_order_of_the_rows(files, tmp_path):
    rankings = set()
    for shards in (1, 2, 3):
        succeed("select", files / "dense.npy", *FAST, "--shards", shards, "--ranking", "r.csv",
                "--quiet", "--no-check", cwd=tmp_path)
        rankings.add((tmp_path / "r.csv").read_bytes())
    assert len(rankings) == 3


def test_process_0_alone_speaks_and_writes(files, tmp_path):
    command = ("select", files / "dense.npy", *FAST, "--shards", 3, "--threads", 1)
    alone = succeed(*command, cwd=tmp_path)
    many = succeed_processes(3, *command, "--json", "r.json", cwd=tmp_path)
    same = [[text for text in result.out.splitlines() if " s" not in text]
            for result in (alone, many)]
    assert same[0] == same[1]
    told = read_json(tmp_path / "r.json")
    assert told["processes"] == 3 and told["options"]["shards"] == 3
    # Two thirds of the gradients, and of the sums of two thirds of them, and a little for losses.
    gradients = 4 * told["parameters"]
    assert 4 / 3 * gradients < told["bytes_for_a_step"] < 1.5 * gradients + 5000
    assert told["bytes_sent"] > told["bytes_for_a_step"] * 3 * 4


def test_commands_that_are_not_shared_run_once(tmp_path):
    succeed_processes(3, "generate", "gaussian", "-o", "g.npy", "--rows", 20, "--features", 5,
                      cwd=tmp_path)
    info = succeed_processes(3, "info", "g.npy", cwd=tmp_path)
    assert info.out == succeed("info", "g.npy", cwd=tmp_path).out
    assert succeed_processes(2, "--version", cwd=tmp_path).out.count("quickselection") == 1
