"""examples/tour.py: a walk through the Python package, on data that it makes itself.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/tour.py

After `pip install .` plain `python examples/tour.py` does it.
"""
import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from quickselection import QuickSelection, SparseAutoencoder, VarianceRanking, datasets

# 500 features, of which 20 carry signal: the recipe of the Madelon challenge.
X, y, relevant = datasets.make_madelon(rows=1000, random_state=0)
print(f"{X.shape[0]} rows, {X.shape[1]} features, {len(relevant)} of them relevant")

# One training ranks all features. The labels are not used.
selector = QuickSelection(20, epochs=60, dropout=0.0, n_jobs=2).fit(X)
found = set(selector.selected_) & set(relevant)
print(f"{len(found)} of the {len(selector.selected_)} selected features are relevant")
print("best five:", selector.selected_[:5].tolist())
print(f"loss went from {selector.loss_curve_[0]:.3f} to {selector.loss_curve_[-1]:.3f}")

# A baseline in the same words.
variance = VarianceRanking(20).fit(X)
print(f"by variance: {len(set(variance.selected_) & set(relevant))} relevant")

# In a pipeline, judged by a classifier.
trees = ExtraTreesClassifier(50, random_state=0)
for name, model in (("all features", trees),
                    ("20 selected", make_pipeline(QuickSelection(20, epochs=60, dropout=0.0), trees))):
    print(f"{name}: {cross_val_score(model, X, y, cv=3).mean():.2f} accuracy")

# What the network looks like: one sparse matrix a layer.
first = selector.weights_[0]
print(f"first layer: {first.shape[0]} x {first.shape[1]}, {first.nnz} connections, "
      f"strongest {np.abs(first).max():.2f}")

# How steady is a selection? Four trainings with other seeds; the ranking is that of the mean scores.
steady = QuickSelection(20, epochs=60, dropout=0.0, n_runs=4, n_jobs=2).fit(X)
print(steady.stability_)

# Data that arrives in chunks: each call is one epoch, here 15 times over four chunks of 250 rows.
growing = QuickSelection(20, dropout=0.0, n_jobs=2)
for _ in range(15):
    for chunk in np.array_split(X, 4):
        growing.partial_fit(chunk)
print(f"by chunks: {len(set(growing.selected_) & set(relevant))} relevant, {growing.n_iter_} calls")

# Extraction: the 20 relevant features again, as six numbers and back.
few = X[:, relevant]
model = SparseAutoencoder((100, 6, 100), epochs=200, dropout=0.0, noise=0.0, activation="tanh",
                          epsilon=20.0, n_jobs=2)
codes = model.fit_transform(few)
error = ((model.reconstruct(few) - few) ** 2).sum() / ((few - few.mean(axis=0)) ** 2).sum()
print(f"{few.shape[1]} columns as {codes.shape[1]}: {1 - error:.0%} of the variance comes back")
