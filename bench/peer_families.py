"""Families of the cases of `ridge bench 'gpu.*'` in PyTorch: what takes any shape and dtype.

FAMILIES["row.softmax"](torch, (4096, 32000), "bf16") times the case gpu.row.softmax.bf16.4096x32000.
"""

import functools
import sys
import typing

Shape = tuple[int, ...]
Times = dict[str, float]
WARM_MS, REPEAT_MS = 20, 100


class Torch:
    """What the cases use of PyTorch, imported only where something is timed."""

    def __init__(self) -> None:
        import torch  # noqa: PLC0415
        import torch._functorch.config  # noqa: PLC0415
        import triton.testing  # noqa: PLC0415

        torch.manual_seed(0)
        # Backward passes are timed again and again on what one forward pass saved.
        torch._functorch.config.donated_buffer = False
        self.torch, self.bench = torch, triton.testing.do_bench
        self.types = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}

    def random(self, shape: Shape, dtype: str = "bf16", needs_gradient: bool = False):
        return self.torch.randn(shape, device="cuda", dtype=self.types[dtype],
                                requires_grad=needs_gradient)

    def indices(self, count: int, below: int):
        return self.torch.randint(0, below, (count,), device="cuda")

    def median_us(self, run: typing.Callable[[], object]) -> float:
        return 1e3 * self.bench(run, warmup=WARM_MS, rep=REPEAT_MS, return_mode="median")

    def compiled(self, function: typing.Callable) -> typing.Callable:
        self.torch._dynamo.reset()
        return self.torch.compile(function, dynamic=False)

    def both(self, function: typing.Callable, *arguments: object) -> Times:
        return self.each(lambda call: self.median_us(lambda: call(*arguments)), function)

    def each(self, timed: typing.Callable[[typing.Callable], float],
             function: typing.Callable) -> Times:
        """Eager and compiled; one that fails does not stop the other."""
        found = {}
        for name, wrap in (("torch", lambda f: f), ("torch.compile", self.compiled)):
            try:
                found[name] = timed(wrap(function))
            except Exception as error:  # noqa: BLE001  # of a compiler: any kind
                print(f"{name}: {str(error)[:200]}", file=sys.stderr)
        return found


Maker = typing.Callable[[Torch, Shape, str], Times]
FAMILIES: dict[str, Maker] = {}


def family(name: str) -> typing.Callable[[Maker], Maker]:
    def add(make: Maker) -> Maker:
        FAMILIES[name] = make
        return make

    return add


@family("pointwise.bias_gelu_residual")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    gelu = t.torch.nn.functional.gelu
    x, bias, r = (t.random(s, dtype) for s in (shape, shape[1:], shape))
    return t.both(lambda x, b, r: gelu(x + b, approximate="tanh") * 0.5 + r, x, bias, r)


@family("pointwise.sin2_cos2")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: t.torch.sin(x) ** 2 + t.torch.cos(x) ** 2, t.random(shape, dtype))


@family("pointwise.add")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x, y: x + y, t.random(shape, dtype), t.random(shape, dtype))


@family("pointwise.silu_mul")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x, y: t.torch.nn.functional.silu(x) * y, t.random(shape, dtype),
                  t.random(shape, dtype))


@family("pointwise.gelu")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(t.torch.nn.functional.gelu, t.random(shape, dtype))


def repeated_cos(t: Torch, shape: Shape, dtype: str, times: int) -> Times:
    def repeated(x):
        for _ in range(times):
            x = x.cos()
        return x

    return t.both(repeated, t.random(shape, dtype))


for _times in range(1, 9):
    FAMILIES[f"pointwise.cos_{_times}"] = functools.partial(repeated_cos, times=_times)


def row_function(t: Torch, name: str, columns: int) -> tuple[typing.Callable, int]:
    """The function, and how many rows of weights it takes."""
    f = t.torch.nn.functional
    return {
        "softmax": (lambda x: f.softmax(x, -1), 0),
        "layer_norm": (lambda x, w, b: f.layer_norm(x, (columns,), w, b), 2),
        "rms_norm": (lambda x, w: f.rms_norm(x, (columns,), w, 1e-6), 1),
        "sum": (lambda x: x.float().sum(-1), 0),
        "log_softmax": (lambda x: f.log_softmax(x.float(), -1), 0),
        "argmax": (lambda x: x.argmax(-1), 0),
    }[name]


def row(t: Torch, shape: Shape, dtype: str, name: str) -> Times:
    function, weights = row_function(t, name, shape[1])
    return t.both(function, t.random(shape, dtype),
                  *(t.random(shape[1:], dtype) for _ in range(weights)))


def gradient(t: Torch, shape: Shape, dtype: str, name: str) -> Times:
    function, weights = row_function(t, name, shape[1])
    inputs = [t.random(shape, dtype, needs_gradient=True)]
    inputs += [t.random(shape[1:], dtype, needs_gradient=True) for _ in range(weights)]
    out = t.random(shape, dtype)

    def timed(call):
        y = call(*inputs)
        return t.median_us(lambda: t.torch.autograd.grad(y, inputs, out, retain_graph=True))

    return t.each(timed, function)


for _name in ("softmax", "layer_norm", "rms_norm", "sum", "log_softmax", "argmax"):
    FAMILIES[f"row.{_name}"] = functools.partial(row, name=_name)
for _name in ("softmax", "layer_norm", "rms_norm"):
    FAMILIES[f"gradient.{_name}"] = functools.partial(gradient, name=_name)


@family("column.sum")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: x.float().sum(0), t.random(shape, dtype))


@family("movement.transpose")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: x.t().contiguous(), t.random(shape, dtype))


@family("movement.cumsum")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: x.cumsum(1), t.random(shape, dtype))


@family("movement.sort")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: x.sort(dim=1, stable=True), t.random(shape, dtype))


@family("movement.topk")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: x.topk(64, 1), t.random(shape, dtype))


@family("movement.cast")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x: x.bfloat16(), t.random(shape, dtype))


@family("movement.cat")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda x, y: t.torch.cat([x, y], 1), t.random(shape, dtype),
                  t.random(shape, dtype))


@family("matmul.square")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    return t.both(lambda a, b: a @ b, t.random(shape[:2], dtype), t.random(shape[1:], dtype))


@family("matmul.linear")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    m, n, k = shape
    return t.both(t.torch.nn.functional.linear, t.random((m, k), dtype), t.random((n, k), dtype))


@family("training.cross_entropy")
def _(t: Torch, shape: Shape, dtype: str) -> Times:
    x, target = t.random(shape, dtype, needs_gradient=True), t.indices(*shape)

    def timed(call):
        def step():
            x.grad = None
            call(x, target).backward()

        return t.median_us(step)

    return t.each(timed, lambda x, at: t.torch.nn.functional.cross_entropy(x.float(), at))
