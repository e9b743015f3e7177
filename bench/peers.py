#!/usr/bin/env python3
"""Times of PyTorch, eager and compiled, on the cases of `ridge bench 'gpu.*'`.

Random data, the L2 cache flushed before each run, medians: Triton's do_bench, whose method the timer
of Ridge shares. Prints a JSON object {case: {"torch": us, "torch.compile": us}}; a peer that fails
on a case is left out there and named on stderr.
"""

import argparse
import fnmatch
import json
import sys
import time
import typing

Maker = typing.Callable[[typing.Any], dict[str, float]]
CASES: dict[str, Maker] = {}

ROW_SHAPES = [(16384, 768), (16384, 4096), (8192, 8192), (4096, 50257), (65536, 128), (32, 1 << 20),
              (16384, 1000), (9973, 4097), (1, 1 << 26)]
FEW_ROWS = [((8, 1 << 22), "bf16"), ((16, 1 << 21), "bf16"), ((64, 1 << 19), "bf16"), ((32, 1 << 20), "f32")]
GRADIENT_SHAPES = ROW_SHAPES[:4]
COLUMN_SHAPES = [(16384, 4096), (16384, 768), (9973, 1025)]
HIDDEN = (16384, 3072)
SQUARES = [512, 1024, 1792, 1793, 2048, 4096, 4097, 8192]
LINEARS = [(8192, 4096, 4096), (16384, 3072, 768), (16384, 768, 3072), (16384, 50257, 768),
           (16384, 50304, 768), (50432, 2304, 768), (50432, 3072, 768), (1, 4096, 4096),
           (16, 4096, 4096), (64, 14336, 4096), (128, 14336, 4096), (240, 8192, 8192)]
WARM_MS, REPEAT_MS = 20, 100


def sizes(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


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
        self.types = {"bf16": torch.bfloat16, "f32": torch.float32}

    def random(self, shape: tuple[int, ...], dtype: str = "bf16", needs_gradient: bool = False):
        return self.torch.randn(shape, device="cuda", dtype=self.types[dtype],
                                requires_grad=needs_gradient)

    def indices(self, count: int, below: int):
        return self.torch.randint(0, below, (count,), device="cuda")

    def median_us(self, run: typing.Callable[[], object]) -> float:
        return 1e3 * self.bench(run, warmup=WARM_MS, rep=REPEAT_MS, return_mode="median")

    def compiled(self, function: typing.Callable) -> typing.Callable:
        self.torch._dynamo.reset()
        return self.torch.compile(function, dynamic=False)

    def both(self, function: typing.Callable, *arguments: object) -> dict[str, float]:
        return self.each(lambda call: self.median_us(lambda: call(*arguments)), function)

    def each(self, timed: typing.Callable[[typing.Callable], float],
             function: typing.Callable) -> dict[str, float]:
        """Eager and compiled; one that fails does not stop the other."""
        found = {}
        for name, wrap in (("torch", lambda f: f), ("torch.compile", self.compiled)):
            try:
                found[name] = timed(wrap(function))
            except Exception as error:  # noqa: BLE001  # of a compiler: any kind
                print(f"{name}: {str(error)[:200]}", file=sys.stderr)
        return found


def case(name: str) -> typing.Callable[[Maker], Maker]:
    def add(make: Maker) -> Maker:
        CASES[name] = make
        return make

    return add


def add_pointwise() -> None:
    for shape in (HIDDEN, (4099, 1025)):
        for dtype in ("bf16", "f32"):
            @case(f"gpu.pointwise.bias_gelu_residual.{dtype}.{sizes(shape)}")
            def _(t: Torch, shape=shape, dtype=dtype):
                gelu = t.torch.nn.functional.gelu
                x, bias, r = (t.random(s, dtype) for s in (shape, shape[1:], shape))
                return t.both(lambda x, b, r: gelu(x + b, approximate="tanh") * 0.5 + r, x, bias, r)

            @case(f"gpu.pointwise.sin2_cos2.{dtype}.{sizes(shape)}")
            def _(t: Torch, shape=shape, dtype=dtype):
                return t.both(lambda x: t.torch.sin(x) ** 2 + t.torch.cos(x) ** 2,
                              t.random(shape, dtype))

    for times in range(1, 9):
        @case(f"gpu.pointwise.cos_{times}.f32.{1 << 28}")
        def _(t: Torch, times=times):
            def repeated(x):
                for _ in range(times):
                    x = x.cos()
                return x

            return t.both(repeated, t.random((1 << 28,), "f32"))

    for dtype in ("bf16", "f32"):
        @case(f"gpu.pointwise.add.{dtype}.{sizes(HIDDEN)}")
        def _(t: Torch, dtype=dtype):
            return t.both(lambda x, y: x + y, t.random(HIDDEN, dtype), t.random(HIDDEN, dtype))

        @case(f"gpu.pointwise.silu_mul.{dtype}.{sizes(HIDDEN)}")
        def _(t: Torch, dtype=dtype):
            return t.both(lambda x, y: t.torch.nn.functional.silu(x) * y, t.random(HIDDEN, dtype),
                          t.random(HIDDEN, dtype))

        @case(f"gpu.pointwise.gelu.{dtype}.{sizes(HIDDEN)}")
        def _(t: Torch, dtype=dtype):
            return t.both(t.torch.nn.functional.gelu, t.random(HIDDEN, dtype))


def row_functions(t: Torch, columns: int) -> dict[str, tuple[typing.Callable, int]]:
    """The function, and how many rows of weights it takes."""
    f = t.torch.nn.functional
    return {
        "softmax": (lambda x: f.softmax(x, -1), 0),
        "layer_norm": (lambda x, w, b: f.layer_norm(x, (columns,), w, b), 2),
        "rms_norm": (lambda x, w: f.rms_norm(x, (columns,), w, 1e-6), 1),
        "sum": (lambda x: x.float().sum(-1), 0),
        "log_softmax": (lambda x: f.log_softmax(x.float(), -1), 0),
    }


ROW_NAMES = ("softmax", "layer_norm", "rms_norm", "sum", "log_softmax")


def add_rows() -> None:
    for shape in ROW_SHAPES:
        for name in ROW_NAMES:
            @case(f"gpu.row.{name}.bf16.{sizes(shape)}")
            def _(t: Torch, shape=shape, name=name):
                function, weights = row_functions(t, shape[1])[name]
                return t.both(function, t.random(shape),
                              *(t.random(shape[1:]) for _ in range(weights)))

    for shape, dtype in FEW_ROWS:
        @case(f"gpu.row.sum.{dtype}.{sizes(shape)}")
        def _(t: Torch, shape=shape, dtype=dtype):
            return t.both(lambda x: x.float().sum(-1), t.random(shape, dtype))

    @case("gpu.row.argmax.bf16.8192x50304")
    def _(t: Torch):
        return t.both(lambda x: x.argmax(-1), t.random((8192, 50304)))

    for shape in COLUMN_SHAPES:
        @case(f"gpu.column.sum.bf16.{sizes(shape)}")
        def _(t: Torch, shape=shape):
            return t.both(lambda x: x.float().sum(0), t.random(shape))


def add_gradients() -> None:
    for shape in GRADIENT_SHAPES:
        for name in ROW_NAMES[:3]:
            @case(f"gpu.gradient.{name}.bf16.{sizes(shape)}")
            def _(t: Torch, shape=shape, name=name):
                function, weights = row_functions(t, shape[1])[name]
                inputs = [t.random(shape, needs_gradient=True)]
                inputs += [t.random(shape[1:], needs_gradient=True) for _ in range(weights)]
                out = t.random(shape)

                def timed(call):
                    y = call(*inputs)
                    return t.median_us(
                        lambda: t.torch.autograd.grad(y, inputs, out, retain_graph=True))

                return t.each(timed, function)


def add_movement() -> None:
    for shape in ((16384, 4096), (8191, 8193)):
        for dtype in ("bf16", "f32"):
            @case(f"gpu.movement.transpose.{dtype}.{sizes(shape)}")
            def _(t: Torch, shape=shape, dtype=dtype):
                return t.both(lambda x: x.t().contiguous(), t.random(shape, dtype))

    @case("gpu.movement.permute.bf16.16x1024x12x64")
    def _(t: Torch):
        return t.both(lambda x: x.permute(0, 2, 1, 3).contiguous(), t.random((16, 1024, 12, 64)))

    @case("gpu.movement.embedding.bf16.50257x768")
    def _(t: Torch):
        return t.both(lambda w, i: t.torch.nn.functional.embedding(i, w), t.random((50257, 768)),
                      t.indices(16384, 50257))

    @case("gpu.movement.embedding_gradient.bf16.50257x768")
    def _(t: Torch):
        weight, index = t.random((50257, 768), needs_gradient=True), t.indices(16384, 50257)
        out = t.random((16384, 768))

        def timed(call):
            y = call(weight, index)
            return t.median_us(
                lambda: t.torch.autograd.grad(y, weight, out, retain_graph=True))

        return t.each(timed, lambda w, i: t.torch.nn.functional.embedding(i, w))

    @case(f"gpu.movement.dropout.bf16.{sizes(HIDDEN)}")
    def _(t: Torch):
        return t.both(lambda x: t.torch.nn.functional.dropout(x, 0.1), t.random(HIDDEN))

    @case("gpu.movement.cumsum.f32.16384x4096")
    def _(t: Torch):
        return t.both(lambda x: x.cumsum(1), t.random((16384, 4096), "f32"))

    @case("gpu.movement.cast.f32.16384x4096")
    def _(t: Torch):
        return t.both(lambda x: x.bfloat16(), t.random((16384, 4096), "f32"))

    @case(f"gpu.movement.cat.bf16.{sizes(HIDDEN)}")
    def _(t: Torch):
        return t.both(lambda x, y: t.torch.cat([x, y], 1), t.random(HIDDEN), t.random(HIDDEN))


def add_products() -> None:
    for n in SQUARES:
        @case(f"gpu.matmul.square.bf16.{n}x{n}x{n}")
        def _(t: Torch, n=n):
            return t.both(lambda a, b: a @ b, t.random((n, n)), t.random((n, n)))

    for m, n, k in LINEARS:
        @case(f"gpu.matmul.linear.bf16.{m}x{n}x{k}")
        def _(t: Torch, m=m, n=n, k=k):
            return t.both(t.torch.nn.functional.linear, t.random((m, k)), t.random((n, k)))


def gpt2_shapes() -> list[tuple[int, ...]]:
    width, shapes = 768, [(50257, 768), (1024, 768)]
    for _ in range(12):
        shapes += [(width,), (width,), (width, 3 * width), (3 * width,), (width, width), (width,)]
        shapes += [(width,), (width,), (width, 4 * width), (4 * width,), (4 * width, width), (width,)]
    return [*shapes, (width,), (width,)]


def add_training() -> None:
    @case(f"gpu.training.adamw.f32.{len(gpt2_shapes())}_tensors")
    def _(t: Torch):
        parameters = [t.random(shape, "f32", needs_gradient=True) for shape in gpt2_shapes()]
        for parameter in parameters:
            parameter.grad = t.torch.randn_like(parameter)
        optimizer = t.torch.optim.AdamW(parameters, fused=True)
        return {"torch": t.median_us(optimizer.step)}

    for columns in (50304, 50257):
        @case(f"gpu.training.cross_entropy.bf16.8192x{columns}")
        def _(t: Torch, columns=columns):
            x, target = t.random((8192, columns), needs_gradient=True), t.indices(8192, columns)

            def timed(call):
                def step():
                    x.grad = None
                    call(x, target).backward()

                return t.median_us(step)

            return t.each(timed,
                          lambda x, at: t.torch.nn.functional.cross_entropy(x.float(), at))


def host_us(t: Torch, run: typing.Callable[[], object], count: int) -> float:
    """Of each call in a loop, the device's end included."""
    times = []
    for _ in range(6):
        t.torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            run()
        t.torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / count * 1e6)
    return sorted(times[1:])[2]


def add_overhead() -> None:
    @case("gpu.overhead.tiny_call.f32.8")
    def _(t: Torch):
        x = t.random((8,), "f32")
        return t.each(lambda call: host_us(t, lambda: call(x), 4000), lambda x: x + 1)

    for count in (1, 8):
        @case(f"gpu.overhead.addition_in_graph.f32.{count}")
        def _(t: Torch, count=count):
            x = t.random((count,), "f32")
            graph = t.torch.cuda.CUDAGraph()
            with t.torch.cuda.graph(graph):
                y = x
                for _ in range(1000):
                    y = y + 1
            return {"torch": host_us(t, graph.replay, 20) / 1000}


def add_all() -> None:
    for add in (add_pointwise, add_rows, add_gradients, add_movement, add_products, add_training,
                add_overhead):
        add()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern", nargs="*", default=["gpu.*"], help="cases, such as gpu.row.*")
    parser.add_argument("--list", action="store_true", help="name the cases and time none")
    parser.add_argument("--out", help="write the JSON to this file")
    args = parser.parse_args()

    add_all()
    names = [name for name in CASES if any(fnmatch.fnmatch(name, p) for p in args.pattern)]
    if args.list:
        print(*names, sep="\n")
        return 0
    peers, found, failed = Torch(), {}, 0
    for name in names:
        try:
            found[name] = CASES[name](peers)
        except Exception as error:  # noqa: BLE001  # out of memory, a missing op, a compiler
            failed += 1
            print(f"{name}: {str(error)[:200]}", file=sys.stderr)
        peers.torch.cuda.empty_cache()
    text = json.dumps(found, indent=1)
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)
    return 1 if failed == len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
