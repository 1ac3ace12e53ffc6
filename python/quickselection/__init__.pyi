# Written by scripts/make_stubs.py: do not edit.
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_selection import SelectorMixin

from . import datasets as datasets, plot as plot
from ._selectors import Stability as Stability
from .anndata import select_genes as select_genes
from .errors import Error as Error
from .evaluation import evaluate as evaluate, info as info
from .io import read as read, read_ranking as read_ranking

SELECTORS: list[str]
__version__: str

class _Selector(SelectorMixin, BaseEstimator):
    scores_: NDArray[np.float64]
    feature_importances_: NDArray[np.float64]
    ranking_: NDArray[np.intp]
    selected_: NDArray[np.intp]
    support_: NDArray[np.bool_]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    stability_: Stability | None
    def fit(self, X: Any, y: Any = ...) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class _Network(_Selector):
    loss_curve_: NDArray[np.float64]
    strength_history_: NDArray[np.float32] | None
    weights_: list[Any] | None
    biases_: list[NDArray[np.float32]] | None
    n_iter_: int

class _ChunkNetwork(_Network):
    def partial_fit(self, X: Any, y: Any = ...) -> Any: ...

class _Autoencoder(TransformerMixin, BaseEstimator):
    loss_curve_: NDArray[np.float64]
    n_iter_: int
    n_components_: int
    n_parameters_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def fit(self, X: Any, y: Any = ...) -> Any: ...
    def transform(self, X: Any) -> Any: ...
    def inverse_transform(self, X: Any) -> NDArray[np.float32]: ...
    def reconstruct(self, X: Any) -> NDArray[np.float32]: ...
    def get_feature_names_out(self, input_features: Any = ...) -> NDArray[np.object_]: ...

class QuickSelection(_Network):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        epochs: int = ...,
        hidden: int | str | Sequence[int] = ...,
        epsilon: float = ...,
        zeta: float = ...,
        noise: float = ...,
        noise_mode: str = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        momentum: float = ...,
        weight_decay: float = ...,
        dropout: float = ...,
        activation: str = ...,
        output_activation: str = ...,
        loss: str = ...,
        optimizer: str = ...,
        importance: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
        callback: Callable[[int, float, NDArray[np.float64]], Any] | None = ...,
    ) -> None: ...

class WAST(_Network):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        epochs: int = ...,
        hidden: int | str | Sequence[int] = ...,
        density: float = ...,
        zeta: float = ...,
        lam: float = ...,
        noise: float = ...,
        noise_mode: str = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        momentum: float = ...,
        weight_decay: float = ...,
        dropout: float = ...,
        activation: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
        callback: Callable[[int, float, NDArray[np.float64]], Any] | None = ...,
    ) -> None: ...

class ConcreteAutoencoder(_Network):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        epochs: int = ...,
        hidden: int | str | Sequence[int] = ...,
        start_temperature: float = ...,
        end_temperature: float = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        dropout: float = ...,
        activation: str = ...,
        output_activation: str = ...,
        loss: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
        callback: Callable[[int, float, NDArray[np.float64]], Any] | None = ...,
    ) -> None: ...

class AEFS(_Network):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        epochs: int = ...,
        hidden: int | str | Sequence[int] = ...,
        alpha: float | str = ...,
        noise: float = ...,
        noise_mode: str = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        momentum: float = ...,
        weight_decay: float = ...,
        dropout: float = ...,
        activation: str = ...,
        output_activation: str = ...,
        loss: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
        callback: Callable[[int, float, NDArray[np.float64]], Any] | None = ...,
    ) -> None: ...

class FCAE(_Network):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        epochs: int = ...,
        hidden: int | str | Sequence[int] = ...,
        noise: float = ...,
        noise_mode: str = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        momentum: float = ...,
        weight_decay: float = ...,
        dropout: float = ...,
        activation: str = ...,
        output_activation: str = ...,
        loss: str = ...,
        optimizer: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
        callback: Callable[[int, float, NDArray[np.float64]], Any] | None = ...,
    ) -> None: ...

class LotteryTicket(_Network):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        epochs: int = ...,
        hidden: int | str | Sequence[int] = ...,
        epsilon: float = ...,
        noise: float = ...,
        noise_mode: str = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        momentum: float = ...,
        weight_decay: float = ...,
        dropout: float = ...,
        activation: str = ...,
        output_activation: str = ...,
        loss: str = ...,
        optimizer: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
        callback: Callable[[int, float, NDArray[np.float64]], Any] | None = ...,
    ) -> None: ...

class LaplacianScore(_Selector):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        neighbors: int = ...,
        weights: str = ...,
        t: float = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
    ) -> None: ...

class MCFS(_Selector):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        neighbors: int = ...,
        weights: str = ...,
        t: float = ...,
        clusters: int = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
    ) -> None: ...

class UDFS(_Selector):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        neighbors: int = ...,
        clusters: int = ...,
        gamma: float = ...,
        lam: float = ...,
        iterations: int = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
    ) -> None: ...

class VarianceRanking(_Selector):
    def __init__(
        self,
        n_features_to_select: int | float | None = ...,
        *,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
        n_runs: int = ...,
        bootstrap: bool = ...,
    ) -> None: ...

class SparseAutoencoder(_Autoencoder):
    def __init__(
        self,
        layers: int | Sequence[int] = ...,
        *,
        epochs: int = ...,
        epsilon: float = ...,
        zeta: float = ...,
        noise: float = ...,
        noise_mode: str = ...,
        batch_size: int | str = ...,
        learning_rate: float = ...,
        momentum: float = ...,
        weight_decay: float = ...,
        dropout: float = ...,
        activation: str = ...,
        output_activation: str = ...,
        loss: str = ...,
        optimizer: str = ...,
        scale: str | None = ...,
        clip: float = ...,
        random_state: int | np.random.RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...
