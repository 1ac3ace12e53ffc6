#!/usr/bin/python3
"""bench/paper_tables.py: what bench/methods.py measured, beside the paper's Tables 2, 3, 9 and 10, as
Markdown for docs/reproduction.md.

    bench/paper_tables.py methods.jsonl …
"""
import json
import statistics
import sys

TITLES = {"madelon": "Madelon, K 20", "COIL20": "COIL-20, K 50",
          "Isolet": "Isolet (the small file), K 50", "PCMAC": "PCMAC, K 50", "mnist": "MNIST, K 50"}
ORDER = ["quickselection", "random", "variance", "laplacian_score", "mcfs", "udfs",
         "concrete_autoencoder", "aefs", "fcae", "lottery_ticket", "wast"]
# Classification and clustering of the paper. In brackets: on a larger file. *: the authors' program.
PAPER = {
    "madelon": {
        "mcfs": ("81.7 ± 0.8", "57.2 ± 0.0"), "laplacian_score": ("91.4 ± 0.9", "58.1 ± 0.0"),
        "concrete_autoencoder": ("87.5 ± 2.0", "56.9 ± 3.6"), "aefs": ("52.1 ± 2.8", "50.8 ± 0.2"),
        "fcae": ("53.5 ± 8.1", "50.9 ± 0.4"), "lottery_ticket": ("53.0 ± 7.2", "50.8 ± 0.5"),
        "quickselection, 10 epochs": ("86.6 ± 3.6", "57.5 ± 3.8"),
        "quickselection, 100 epochs": ("90.3 ± 0.7", "58.2 ± 1.5")},
    "COIL20": {
        "mcfs": ("99.2 ± 0.3", "67.0 ± 0.7"), "laplacian_score": ("89.8 ± 0.4", "55.5 ± 0.4"),
        "concrete_autoencoder": ("99.6 ± 0.3", "60.0 ± 1.1"), "aefs": ("93.0 ± 2.7", "51.2 ± 1.7"),
        "fcae": ("99.7 ± 0.2", "60.2 ± 1.7"), "lottery_ticket": ("99.6 ± 0.6", "58.8 ± 3.3"),
        "quickselection, 10 epochs": ("98.8 ± 0.6", "59.5 ± 2.1"),
        "quickselection, 100 epochs": ("99.7 ± 0.3", "60.2 ± 2.0")},
    "Isolet": {
        "mcfs": ("(79.5 ± 0.4)", "(33.8 ± 0.5)"), "laplacian_score": ("(83.0 ± 0.2)", "(33.2 ± 0.2)"),
        "concrete_autoencoder": ("(89.8 ± 0.6)", "(31.6 ± 1.3)"),
        "aefs": ("(85.1 ± 2.4)", "(31.0 ± 2.7)"), "fcae": ("(81.6 ± 5.9)", "(28.7 ± 2.5)"),
        "lottery_ticket": ("(84.5 ± 3.9)", "(31.2 ± 2.4)"),
        "quickselection, 10 epochs": ("81.2 ± 2.6 *", "43.3 *"),
        "quickselection, 100 epochs": ("86.0 ± 2.1 *", "54.2 *")},
    "PCMAC": {
        "mcfs": ("55.5 ± 0.0", "50.6 ± 0.0"), "laplacian_score": ("50.4 ± 0.0", "50.6 ± 0.0"),
        "concrete_autoencoder": ("59.9 ± 1.5", "52.0 ± 1.2"), "aefs": ("57.1 ± 3.6", "50.9 ± 0.5"),
        "fcae": ("58.1 ± 1.9", "50.9 ± 0.1"), "lottery_ticket": ("59.5 ± 5.9", "50.8 ± 0.6"),
        "quickselection, 10 epochs": ("58.9 ± 4.4", "50.9 ± 0.5"),
        "quickselection, 100 epochs": ("58.0 ± 2.9", "52.5 ± 1.1")},
    "mnist": {
        "mcfs": ("88.7 ± 0.0", "35.2 ± 0.0"), "laplacian_score": ("20.7 ± 0.1", "14.9 ± 0.1"),
        "concrete_autoencoder": ("95.4 ± 0.1", "49.2 ± 1.5"), "aefs": ("86.1 ± 2.0", "40.0 ± 1.9"),
        "fcae": ("68.8 ± 28.7", "28.2 ± 8.5"), "lottery_ticket": ("82.6 ± 2.4", "37.5 ± 4.0"),
        "quickselection, 10 epochs": ("93.8 ± 0.6", "45.4 ± 3.9"),
        "quickselection, 100 epochs": ("93.5 ± 0.5", "48.3 ± 2.4")},
}
# What the protocol sets for a data set is not worth a name.
PROTOCOL = [["--output-activation", "tanh"], ["--loss", "matching"], ["--scale", "minmax"]]


def label_of(run):
    options = list(run["options"])
    pairs = [options[i:i + 2] for i in range(0, len(options), 2)]
    if run["method"] in ("quickselection", "fcae", "lottery_ticket"):
        pairs = [pair for pair in pairs if pair not in PROTOCOL]
    if run["method"] == "quickselection":
        epochs = dict(map(tuple, pairs)).get("--epochs", "100")
        rest = [pair for pair in pairs if pair[0] != "--epochs"]
        return " ".join([f"quickselection, {epochs} epochs"] + [" ".join(pair) for pair in rest])
    return " ".join([run["method"]] + [" ".join(pair) for pair in pairs])


def spread(values):
    mean = statistics.mean(values)
    return f"{mean:.1f} ± {statistics.pstdev(values):.1f}" if len(values) > 1 else f"{mean:.1f}"


def main():
    if len(sys.argv) < 2:
        raise SystemExit("name the files that bench/methods.py wrote (--results)")
    runs = {}
    for path in sys.argv[1:]:
        with open(path) as file:
            for line in file:
                run = json.loads(line)
                runs[run["data"], label_of(run), run["seed"]] = run
    for data, title in TITLES.items():
        print(f"### {title}\n\n| method | classified % | paper | clustered % | paper | CPU s |"
              " peak MB | runs |\n|---|---|---|---|---|---|---|---|")
        labels = {label for place, label, _ in runs if place == data}
        for label in sorted(labels, key=lambda text: (ORDER.index(text.split()[0].strip(",")),
                                                      len(text), text)):
            own = [run for (place, name, _), run in sorted(runs.items())
                   if (place, name) == (data, label)]
            paper = PAPER[data].get(label, PAPER[data].get(own[0]["method"], ("–", "–")))
            print(f"| {label} | {spread([r['classification'] for r in own])} | {paper[0]} |"
                  f" {spread([r['clustering'] for r in own])} | {paper[1]} |"
                  f" {statistics.mean(r['seconds'] for r in own):.3g} |"
                  f" {max(r['peak_mb'] for r in own):.0f} | {len(own)} |")
        print()


if __name__ == "__main__":
    main()
