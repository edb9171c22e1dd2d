"""Fitted tree ensembles as plain arrays: saved without pickle, read without running anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Forest:
    """Trees side by side; the prediction is base + scale · sum of the leaves."""

    left: np.ndarray
    """Children of each node of all trees, −1 at leaves; numbers are global."""
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    value: np.ndarray
    roots: np.ndarray
    base: float
    scale: float

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Return one number for each row of features, shape (rows,)."""
        rows = np.asarray(rows, dtype=np.float32)
        if len(rows) == 0:
            return np.zeros(0)
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots))).copy()
        line = np.arange(len(rows))[:, None]
        inner = self.left[node] >= 0
        while inner.any():
            goes_left = rows[line, self.feature[node]] <= self.threshold[node]
            below = np.where(goes_left, self.left[node], self.right[node])
            node = np.where(inner, below, node)
            inner = self.left[node] >= 0
        return np.asarray(self.base + self.scale * self.value[node].sum(axis=1), dtype=np.float64)

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """Return the arrays under names that start with `name`, as `from_arrays` takes them."""
        return {
            f"{name}.left": self.left, f"{name}.right": self.right, f"{name}.feature": self.feature,
            f"{name}.threshold": self.threshold, f"{name}.value": self.value, f"{name}.roots": self.roots,
            f"{name}.sum": np.array([self.base, self.scale]),
        }  # fmt: skip

    @classmethod
    def from_arrays(cls, name: str, arrays: Mapping[str, np.ndarray]) -> Forest:
        """Return the forest that `arrays` wrote.

        Raises:
            ValueError: if the arrays do not fit together.
        """
        got = {each: arrays[f"{name}.{each}"] for each in
               ("left", "right", "feature", "threshold", "value", "roots", "sum")}  # fmt: skip
        n = len(got["left"])
        sizes = {len(got[each]) for each in ("right", "feature", "threshold", "value")}
        inner = got["left"] >= 0
        nodes = np.arange(n)
        # Children behind their parents: no tree of a stranger can lead in a circle.
        if sizes != {n} or (got["left"][inner] <= nodes[inner]).any() or (got["right"][inner] <= nodes[inner]).any():
            raise ValueError("its trees do not hang together")
        if n and (max(got["left"].max(), got["right"].max(), got["roots"].max()) >= n or got["feature"].min() < 0):
            raise ValueError("its trees lead outside")
        base, scale = (float(each) for each in got["sum"])
        return cls(left=got["left"], right=got["right"], feature=got["feature"], threshold=got["threshold"],
                   value=got["value"], roots=got["roots"], base=base, scale=scale)  # fmt: skip


def forest_of(estimator: Any) -> Forest:
    """Return a fitted scikit-learn gradient boosting or forest (regressor, or classifier's share of class 1)."""
    boosted = hasattr(estimator, "init_")
    trees = [tree.tree_ for tree in np.ravel(estimator.estimators_)]
    left, right, feature, threshold, value, roots = [], [], [], [], [], []
    start = 0
    for tree in trees:
        roots.append(start)
        inner = tree.children_left >= 0
        left.append(np.where(inner, tree.children_left + start, -1))
        right.append(np.where(inner, tree.children_right + start, -1))
        feature.append(np.maximum(tree.feature, 0))
        threshold.append(tree.threshold)
        leaves = tree.value[:, 0, :]
        value.append(leaves[:, 1] / leaves.sum(axis=1) if leaves.shape[1] > 1 else leaves[:, 0])
        start += tree.node_count
    return Forest(
        left=np.concatenate(left).astype(np.int32), right=np.concatenate(right).astype(np.int32),
        feature=np.concatenate(feature).astype(np.int32), threshold=np.concatenate(threshold),
        value=np.concatenate(value).astype(np.float32), roots=np.array(roots, dtype=np.int32),
        base=float(np.ravel(estimator.init_.constant_)[0]) if boosted else 0.0,
        scale=float(estimator.learning_rate) if boosted else 1.0 / len(trees),
    )  # fmt: skip
