#!/usr/bin/env python3
"""Times of PyTorch, eager and compiled, on the cases of `ridge bench 'gpu.*'`.

Random data, the L2 cache flushed before each run, medians: Triton's do_bench, whose method the timer
of Ridge shares. Prints a JSON object {case: {"torch": us, "torch.compile": us}}; a peer that fails
on a case is left out there and named on stderr. A name that is no pattern may have any sizes, as for
Ridge: gpu.row.softmax.f16.4096x32000.
"""

import argparse
import fnmatch
import json
import re
import sys
import time
import typing

from peer_families import FAMILIES, Shape, Times, Torch

Case = typing.Callable[[Torch], Times]
CASES: dict[str, Case] = {}

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
# Which families, dtypes and numbers of sizes go together, Ridge says: it is asked first.
NAME = re.compile(r"gpu\.(\w+\.\w+)\.(bf16|f16|f32)\.([1-9][0-9]*(?:x[1-9][0-9]*)*)")


def add(family: str, dtype: str, shape: Shape) -> None:
    name = f"gpu.{family}.{dtype}.{'x'.join(map(str, shape))}"
    CASES[name] = lambda t: FAMILIES[family](t, shape, dtype)


def add_if_named(name: str) -> None:
    """A case that the list does not have, if this is the name of one."""
    parts = NAME.fullmatch(name)
    if parts and parts[1] in FAMILIES:
        add(parts[1], parts[2], tuple(map(int, parts[3].split("x"))))


def case(name: str) -> typing.Callable[[Case], Case]:
    """Of no family: it has one shape."""
    def add_case(run: Case) -> Case:
        CASES[name] = run
        return run

    return add_case


def add_pointwise() -> None:
    for shape in (HIDDEN, (4099, 1025)):
        for dtype in ("bf16", "f32"):
            add("pointwise.bias_gelu_residual", dtype, shape)
            add("pointwise.sin2_cos2", dtype, shape)
    for times in range(1, 9):
        add(f"pointwise.cos_{times}", "f32", (1 << 28,))
    for dtype in ("bf16", "f32"):
        for name in ("add", "silu_mul", "gelu"):
            add(f"pointwise.{name}", dtype, HIDDEN)


def add_rows() -> None:
    for shape in ROW_SHAPES:
        for name in ("softmax", "layer_norm", "rms_norm", "sum", "log_softmax"):
            add(f"row.{name}", "bf16", shape)
    for shape, dtype in FEW_ROWS:
        add("row.sum", dtype, shape)
    add("row.argmax", "bf16", (8192, 50304))
    for shape in COLUMN_SHAPES:
        add("column.sum", "bf16", shape)
    for shape in GRADIENT_SHAPES:
        for name in ("softmax", "layer_norm", "rms_norm"):
            add(f"gradient.{name}", "bf16", shape)


def add_movement() -> None:
    for shape in ((16384, 4096), (8191, 8193)):
        for dtype in ("bf16", "f32"):
            add("movement.transpose", dtype, shape)

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

    @case("gpu.movement.dropout.bf16.16384x3072")
    def _(t: Torch):
        return t.both(lambda x: t.torch.nn.functional.dropout(x, 0.1), t.random(HIDDEN))

    add("movement.cumsum", "f32", (16384, 4096))
    add("movement.cast", "f32", (16384, 4096))
    add("movement.cat", "bf16", HIDDEN)


def add_products() -> None:
    for n in SQUARES:
        add("matmul.square", "bf16", (n, n, n))
    for shape in LINEARS:
        add("matmul.linear", "bf16", shape)


def gpt2_shapes() -> list[Shape]:
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
        add("training.cross_entropy", "bf16", (8192, columns))


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


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern", nargs="*", default=["gpu.*"],
                        help="cases, such as gpu.row.* or gpu.row.softmax.f16.4096x32000")
    parser.add_argument("--list", action="store_true", help="name the cases and time none")
    parser.add_argument("--out", help="write the JSON to this file")
    args = parser.parse_args()

    for add_cases in (add_pointwise, add_rows, add_movement, add_products, add_training,
                      add_overhead):
        add_cases()
    for name in args.pattern:
        if name not in CASES:
            add_if_named(name)
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
