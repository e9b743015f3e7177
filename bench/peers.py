#!/usr/bin/env python3
"""Times of PyTorch, eager and compiled, on the cases of `ridge bench 'gpu.*'`.

Random data, the L2 cache flushed before each run, medians: Triton's do_bench, whose method the timer
of Ridge shares. Prints a JSON object {case: {"torch": us, "torch.compile": us}}; a peer that fails
on a case, or that has no such case, is left out there and named on stderr. Families take any sizes, as
for Ridge: gpu.row.softmax.f16.4096x32000.
"""

import argparse
import json
import re
import sys
import time
import typing

from peer_families import FAMILIES, Shape, Times, Torch

Case = typing.Callable[[Torch], Times]
CASES: dict[str, Case] = {}  # of no family: each has one shape

# Which families, dtypes and numbers of sizes go together, Ridge says: it is asked first.
NAME = re.compile(r"gpu\.(\w+\.\w+)\.(bf16|f16|f32)\.([1-9][0-9]*(?:x[1-9][0-9]*)*)")


def find(name: str) -> Case | None:
    parts = NAME.fullmatch(name)
    if parts and parts[1] in FAMILIES:
        shape = tuple(map(int, parts[3].split("x")))
        return lambda t: FAMILIES[parts[1]](t, shape, parts[2])
    return CASES.get(name)


def case(name: str) -> typing.Callable[[Case], Case]:
    def add_case(run: Case) -> Case:
        CASES[name] = run
        return run

    return add_case


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
    return t.both(lambda x: t.torch.nn.functional.dropout(x, 0.1), t.random((16384, 3072)))


def gpt2_shapes() -> list[Shape]:
    width, shapes = 768, [(50257, 768), (1024, 768)]
    for _ in range(12):
        shapes += [(width,), (width,), (width, 3 * width), (3 * width,), (width, width), (width,)]
        shapes += [(width,), (width,), (width, 4 * width), (4 * width,), (4 * width, width), (width,)]
    return [*shapes, (width,), (width,)]


@case(f"gpu.training.adamw.f32.{len(gpt2_shapes())}_tensors")
def _(t: Torch):
    parameters = [t.random(shape, "f32", needs_gradient=True) for shape in gpt2_shapes()]
    for parameter in parameters:
        parameter.grad = t.torch.randn_like(parameter)
    optimizer = t.torch.optim.AdamW(parameters, fused=True)
    return {"torch": t.median_us(optimizer.step)}


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


@case("gpu.overhead.tiny_call.f32.8")
def _(t: Torch):
    x = t.random((8,), "f32")
    return t.each(lambda call: host_us(t, lambda: call(x), 4000), lambda x: x + 1)


for _count in (1, 8):
    @case(f"gpu.overhead.addition_in_graph.f32.{_count}")
    def _(t: Torch, count=_count):
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
    parser.add_argument("name", nargs="+", help="cases, as `ridge bench 'gpu.*' --list` names them")
    parser.add_argument("--list", action="store_true", help="name those that have a peer and time none")
    parser.add_argument("--out", help="write the JSON to this file")
    args = parser.parse_args()

    cases = {name: find(name) for name in args.name}
    names = [name for name, run in cases.items() if run]
    for name in cases:
        if name not in names:
            print(f"{name}: there is no such case of PyTorch", file=sys.stderr)
    if args.list:
        print(*names, sep="\n")
        return 0 if names else 1
    peers, found, failed = Torch(), {}, 0
    for name in names:
        try:
            found[name] = cases[name](peers)
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
