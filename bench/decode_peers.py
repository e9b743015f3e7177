#!/usr/bin/env python3
"""Rates of llama.cpp and ONNX Runtime when they decode on the CPU: what `ridge chat` is compared with.

llama.cpp: tokens a second of a prompt of 256, and of 128 greedy tokens after a prompt of 32; medians of
3 after one that is not counted. ONNX Runtime: milliseconds for one token of GPT-2 124M in f32, whose
weights are random, over a cache of 64; median of 30. Beside them the rate at which as many threads read
512 MiB of memory, which binds weights that fit in no cache. Threads of llama.cpp wait for each other
hundreds of times a token: next to other work its rate says nothing, and the load average is shown. A
peer that is not installed is left out and named on stderr.

The peers, in an environment of their own; llama.cpp is compiled for this CPU:

    python3 -m venv peers
    CMAKE_ARGS="-DGGML_NATIVE=ON -DLLAVA_BUILD=OFF" peers/bin/pip install \\
        --no-binary llama-cpp-python llama-cpp-python==0.3.36 numpy onnx onnxruntime
    peers/bin/python bench/decode_peers.py MODEL.gguf
"""

import argparse
import concurrent.futures
import ctypes
import json
import os
import pathlib
import statistics
import sys
import time
import typing

PROMPT, SHORT_PROMPT, ANSWER = 256, 32, 128
LAYERS, WIDTH, HEADS, VOCABULARY, CACHED = 12, 768, 12, 50257, 64
READ_BYTES = 512 << 20


def median_seconds(run: typing.Callable, rounds: int, prepare: typing.Callable = lambda: None) -> float:
    """Of run(prepare()), where only run is timed; the first round is not counted."""
    seconds = []
    for _ in range(rounds + 1):
        prepared = prepare()
        start = time.perf_counter()
        run(prepared)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def llama_cpp(path: pathlib.Path, threads: int) -> dict[str, float]:
    import llama_cpp as lc  # noqa: PLC0415

    quiet = lc.llama_log_callback(lambda *_: None)
    lc.llama_log_set(quiet, ctypes.c_void_p(0))
    lc.llama_backend_init()
    options = lc.llama_context_default_params()
    options.n_ctx, options.n_threads, options.n_threads_batch = 512, threads, threads
    model = lc.llama_model_load_from_file(str(path).encode(), lc.llama_model_default_params())
    context = model and lc.llama_init_from_model(model, options)
    if not context:
        raise RuntimeError(f"cannot load {path}")
    greedy = lc.llama_sampler_init_greedy()
    vocabulary = lc.llama_vocab_n_tokens(lc.llama_model_get_vocab(model))

    def decode(*tokens: int) -> int:
        array = (lc.llama_token * len(tokens))(*tokens)
        if lc.llama_decode(context, lc.llama_batch_get_one(array, len(tokens))) != 0:
            raise RuntimeError("cannot decode")
        return lc.llama_sampler_sample(greedy, context, -1)

    def read_prompt(count: int) -> int:
        lc.llama_memory_clear(lc.llama_get_memory(context), True)
        return decode(*((1000 + 37 * i) % vocabulary for i in range(count)))

    def answer(token: int) -> None:
        for _ in range(ANSWER):  # past an end of the text too
            token = decode(token)

    prompt_seconds = median_seconds(lambda _: read_prompt(PROMPT), 3)
    answer_seconds = median_seconds(answer, 3, lambda: read_prompt(SHORT_PROMPT))
    lc.llama_free(context)
    return {"llama.cpp prompt tokens/s": PROMPT / prompt_seconds,
            "llama.cpp decode tokens/s": ANSWER / answer_seconds}


def gpt2() -> bytes:
    """One token over caches of keys and values, which come back with one row more."""
    import numpy as np  # noqa: PLC0415
    import onnx  # noqa: PLC0415

    random, value = np.random.default_rng(0), onnx.helper.make_tensor_value_info
    f32, i64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
    nodes, weights, inputs, outputs = [], [], [value("token", i64, [1])], []

    def constant(array) -> str:
        weights.append(onnx.numpy_helper.from_array(array, f"constant_{len(weights)}"))
        return weights[-1].name

    def weight(*shape: int) -> str:
        return constant(random.standard_normal(shape, np.float32) * np.float32(0.02))

    def op(kind: str, *operands: str, count: int = 1, **attributes):
        names = [f"{kind}_{len(nodes)}_{i}" for i in range(count)]
        nodes.append(onnx.helper.make_node(kind, operands, names, **attributes))
        return names[0] if count == 1 else names

    def norm(x: str) -> str:
        return op("LayerNormalization", x, constant(np.ones(WIDTH, np.float32)), weight(WIDTH))

    def linear(x: str, rows: int, columns: int) -> str:
        return op("Gemm", x, weight(rows, columns), weight(columns))

    def behind_cache(x: str) -> str:
        inputs.append(value(f"cache_{len(inputs)}", f32, [HEADS, CACHED, WIDTH // HEADS]))
        longer = op("Concat", inputs[-1].name, op("Reshape", x, heads), axis=1)
        outputs.append(value(longer, f32, [HEADS, CACHED + 1, WIDTH // HEADS]))
        return longer

    heads, row = constant(np.array([HEADS, 1, -1])), constant(np.array([1, WIDTH]))
    scale = constant(np.array((WIDTH // HEADS) ** -0.5, np.float32))
    x = op("Add", op("Gather", weight(VOCABULARY, WIDTH), "token"), weight(1, WIDTH))  # one position
    for _ in range(LAYERS):
        q, k, v = op("Split", linear(norm(x), WIDTH, 3 * WIDTH), count=3, axis=1, num_outputs=3)
        keys = op("Transpose", behind_cache(k), perm=[0, 2, 1])
        scores = op("Softmax", op("Mul", op("MatMul", op("Reshape", q, heads), keys), scale), axis=-1)
        mixed = op("Reshape", op("MatMul", scores, behind_cache(v)), row)
        x = op("Add", x, linear(mixed, WIDTH, WIDTH))
        wide = op("Gelu", linear(norm(x), WIDTH, 4 * WIDTH), approximate="tanh")
        x = op("Add", x, linear(wide, 4 * WIDTH, WIDTH))
    outputs.append(value(op("MatMul", norm(x), weight(WIDTH, VOCABULARY)), f32, [1, VOCABULARY]))
    graph = onnx.helper.make_graph(nodes, "gpt2", inputs, outputs, weights)
    opset = [onnx.helper.make_opsetid("", 20)]
    return onnx.helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()


def onnx_runtime(_: pathlib.Path, threads: int) -> dict[str, float]:
    import numpy as np  # noqa: PLC0415
    import onnxruntime as ort  # noqa: PLC0415

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    session = ort.InferenceSession(gpt2(), options, providers=["CPUExecutionProvider"])
    random = np.random.default_rng(1)
    token, *caches = session.get_inputs()
    feeds = {cache.name: random.standard_normal(cache.shape, np.float32) for cache in caches}
    feeds[token.name] = np.array([1000])
    seconds = median_seconds(lambda _: session.run(None, feeds), 30)
    return {"ONNX Runtime GPT-2 124M f32 ms/token": 1e3 * seconds}


def memory_read(_: pathlib.Path, threads: int) -> dict[str, float]:
    import numpy as np  # noqa: PLC0415

    parts = np.array_split(np.ones(READ_BYTES // 8), threads)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        # The largest, not the sum: numpy adds slower than memory is read.
        seconds = median_seconds(lambda _: list(pool.map(np.max, parts)), 9)
    return {"memory read GB/s": READ_BYTES / seconds / 1e9}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, help="a GGUF file, for llama.cpp")
    parser.add_argument("--threads", type=int, default=2, help="of each peer; 2 unless given")
    parser.add_argument("--json", action="store_true", help="print an object {name: number}")
    args = parser.parse_args()
    if args.threads < 1 or not args.model.is_file():
        parser.error(f"{args.model} is no file" if args.threads > 0 else "--threads is at least 1")

    found, failed = {"threads": args.threads, "load average before": os.getloadavg()[0]}, False
    for measure in (memory_read, llama_cpp, onnx_runtime):
        try:
            found |= measure(args.model, args.threads)
        except ImportError as error:
            print(f"{measure.__name__}: skipped, {error.name} is not installed", file=sys.stderr)
        except RuntimeError as error:
            failed = True
            print(f"{measure.__name__}: {error}", file=sys.stderr)
    found["load average after"] = os.getloadavg()[0]
    print(json.dumps(found, indent=1) if args.json else
          "\n".join(f"{name:40}{number:10.4g}" for name, number in found.items()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
