"""The functions that make a tensor out of nothing, or out of Python data."""

from __future__ import annotations

from devlint.model.torch.effects import Mix, Op, Out, Rank, prefixed, table

_MADE = Op(Mix.FREE, Out.NEW)
_DRAWN = Op(Mix.FREE, Out.NEW, random=True)
_GROWN = Op(Mix.FREE, Out.NEW, rank=Rank.SOME)
_LIKE = Op(Mix.FREE, Out.LIKE, rank=Rank.KEPT, params=("input",))
_DRAWN_LIKE = Op(Mix.FREE, Out.LIKE, rank=Rank.KEPT, params=("input",), random=True)


def _made(params: str, follows: str = "", rank: Rank = Rank.VARIES) -> Op:
    return Op(Mix.FREE, Out.NEW, params=tuple(params.split()), follows=tuple(follows.split()), rank=rank)


_WINDOW = Op(Mix.FREE, Out.NEW, params=("window_length", "periodic"), rank=Rank.SOME)

_NEW: dict[str, Op] = {
    # Varargs: zeros(2, 3) and zeros((2, 3)).
    **table(_MADE, "empty ones zeros"),
    **table(_DRAWN, "rand randn"),
    "arange": _made("start end step", rank=Rank.SOME),
    "as_tensor": _made("data", "data"),
    "asarray": _made("obj", "obj"),
    "tensor": _made("data", "data"),
    "scalar_tensor": _made("s"),
    "empty_permuted": _made("size physical_layout"),
    "empty_strided": _made("size stride"),
    "empty_quantized": _made("size qtensor", "qtensor"),
    "eye": _made("n m", rank=Rank.SOME),
    "from_file": _made("filename shared size", rank=Rank.SOME),
    "full": _made("size fill_value"),
    "linspace": _made("start end steps", rank=Rank.SOME),
    "logspace": _made("start end steps base", rank=Rank.SOME),
    "range": _made("start end step", rank=Rank.SOME),
    "normal": Op(
        Mix.ELEMENTWISE, Out.NEW, random=True, params=("mean", "std", "size"), follows=("mean", "std")
    ),
    "randint": Op(Mix.FREE, Out.NEW, random=True, params=("low", "high", "size")),
    "randperm": Op(Mix.FREE, Out.NEW, random=True, params=("n",), rank=Rank.SOME),
    "sparse_bsc_tensor": _made("ccol_indices row_indices values size", "values", Rank.SOME),
    "sparse_bsr_tensor": _made("crow_indices col_indices values size", "values", Rank.SOME),
    "sparse_compressed_tensor": _made("compressed_indices plain_indices values size", "values", Rank.SOME),
    "sparse_coo_tensor": _made("indices values size", "values", Rank.SOME),
    "sparse_csc_tensor": _made("ccol_indices row_indices values size", "values", Rank.SOME),
    "sparse_csr_tensor": _made("crow_indices col_indices values size", "values", Rank.SOME),
    "tril_indices": _made("row col offset", rank=Rank.SOME),
    "triu_indices": _made("row col offset", rank=Rank.SOME),
    **table(_WINDOW, "bartlett_window blackman_window hamming_window hann_window kaiser_window"),
    **table(
        _GROWN,
        """
        bartlett blackman cosine exponential gaussian general_cosine general_hamming hamming hann kaiser
        nuttall
        """,
        "signal.windows.",
    ),
    "fft.fftfreq": _made("n d", rank=Rank.SOME),
    "fft.rfftfreq": _made("n d", rank=Rank.SOME),
    "nested.nested_tensor": Op(
        Mix.FREE, Out.NEW, params=("tensor_list",), follows=("tensor_list",), follows_items=True
    ),
    "nested.as_nested_tensor": Op(Mix.FREE, Out.NEW, params=("ts",), follows=("ts",), follows_items=True),
    "testing.make_tensor": Op(Mix.FREE, Out.NEW, random=True),
}

_LIKES: dict[str, Op] = {
    **table(_LIKE, "empty_like full_like ones_like zeros_like"),
    **table(_DRAWN_LIKE, "rand_like randint_like randn_like"),
}

FACTORY_OPS: dict[str, Op] = prefixed("torch.", {**_NEW, **_LIKES})

# Every public function that takes `device=` and makes a new tensor, without the `*_like` ones.
FACTORIES: frozenset[str] = frozenset("torch." + name for name in _NEW)
LIKE_FACTORIES: frozenset[str] = frozenset("torch." + name for name in _LIKES)
RANDOM_FACTORIES: frozenset[str] = frozenset(name for name, op in FACTORY_OPS.items() if op.random)
