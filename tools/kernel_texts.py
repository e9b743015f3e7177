"""The kernels that a build makes of the golden graphs, the demo, the examples and the models, as texts
that can be compared with those of another build.

A build is a folder with bin/ridge-opt, and if there are any bin/ridge and bin/ridge_model_tests. Graphs
come from files, or from what a program captures under RIDGE_DUMP; ridge-opt turns each into loop IR, LLVM
IR and CUDA C++, for one fixed CPU and GPU, so the texts do not depend on the machine.
"""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile

# Machine to the ending and the --emit of its texts; the first one is the loop IR.
FORMS = {"cpu": {"loop": "loop", "ll": "llvm"}, "gpu": {"loop": "gpu-loop", "cu": "cuda"}}
# The demo's own batch, so that its step is that of the demo; all else as small as it may be.
DEMO = ["demo", "--steps", "1", "--train-images", "64", "--test-images", "256", "--compare", "0",
        "--quiet"]
MODELS = ["--gtest_filter=Replay.*:WholeStep.HasTheSameBits*"]
LAUNCHED = re.compile(r"^(#|;|//) launched with ")
OPS = re.compile(r"^(#|//) ops: .*\n", re.MULTILINE)
HASH = re.compile(r"(?<=\w)_[0-9a-f]{8}(?![0-9A-Za-z_])")
BUFFER = re.compile(r"(\w+): \w+\[[^\]]*\] (?:in|out|in_out)\b")


class Failure(Exception):
    pass


@dataclasses.dataclass
class Kernel:
    name: str  # without its hash
    family: str
    texts: dict[str, str]  # by ending


@dataclasses.dataclass
class Graph:
    name: str  # golden/gpu/softmax_64, demo/train_step
    text: str
    has_gradients: bool = False  # the graph with its gradients is meant


def output_of(command: list, given: str | None = None, **environment: str) -> str:
    done = subprocess.run([str(part) for part in command], input=given, capture_output=True, text=True,
                          check=False, env=os.environ | environment)
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"{command[0]} exits with {done.returncode}")
    return done.stdout


def golden_graphs(tree: pathlib.Path) -> list[Graph]:
    graphs = []
    for kind in ("kernels", "gpu"):
        for path in sorted((tree / "tests/golden" / kind).glob("*.ir")):
            text = path.read_text()
            graphs.append(Graph(f"golden/{kind}/{path.stem}", text, "// with gradients" in text))
    return graphs


def captured_graphs(build: pathlib.Path, kind: str, command: list) -> list[Graph]:
    """What the command captures, in order; where it only plans, what the first pass leaves."""
    passes = output_of([build / "bin/ridge-opt", "--list"]).replace("_", "-").split()
    dumped: list[tuple[str, str]] = []  # name and text
    with tempfile.TemporaryDirectory() as folder:
        # Whoever measured this machine, its figures decide nothing here.
        output_of(command, RIDGE_DUMP=f"{folder}/dump", RIDGE_CACHE=f"{folder}/cache")
        paths = pathlib.Path(folder, "dump").glob("*.ir")
        for path in sorted(paths, key=lambda path: int(path.name.split("_", 1)[0])):
            dumped.append((path.stem.split("_", 1)[1], path.read_text()))
    captured = [(name, text) for name, text in dumped if name not in passes] or dumped[:1]
    captured = list(dict.fromkeys(captured))  # some are compiled again
    graphs = []
    for i, (stem, text) in enumerate(captured):
        same = sum(name == stem for name, _ in captured[:i])
        graphs.append(Graph(f"{kind}/{stem}" + (f"_{same + 1}" if same else ""), text))
    return graphs


def program_graphs(build: pathlib.Path) -> list[Graph]:
    """Those of the demo, of every example of `ridge explain`, and of tests/model."""
    ridge, models = build / "bin/ridge", build / "bin/ridge_model_tests"
    graphs = []
    if ridge.exists():
        graphs += captured_graphs(build, "demo", [ridge, *DEMO])
        for example in json.loads(output_of([ridge, "explain", "--json"])):
            command = [ridge, "explain", "--example", example["name"], "--device", "h200", "--batch", "8"]
            # It is compiled a second time at twice the batch.
            graphs += captured_graphs(build, "example", command)[:1]
    if models.exists():
        graphs += captured_graphs(build, "model", [models, *MODELS])
    return graphs


def with_gradients(graphs: list[Graph], builds: list[pathlib.Path]) -> list[Graph]:
    """Gradients where they are meant, by the first build that can: --gradients is younger than some."""
    able = [build for build in builds if "--gradients" in output_of([build / "bin/ridge-opt", "--help"])]
    if not able:
        return graphs
    command = [able[0] / "bin/ridge-opt", "--gradients", "-"]
    return [Graph(graph.name, output_of(command, graph.text)) if graph.has_gradients else graph
            for graph in graphs]


def kernels_of(build: pathlib.Path, graph: Graph, machine: str) -> list[Kernel]:
    forms = FORMS[machine]
    blocks = {}
    for ending, emit in forms.items():
        blocks[ending] = split(output_of([build / "bin/ridge-opt", f"--emit={emit}", "-"], graph.text))
    if len({len(list_) for list_ in blocks.values()}) != 1:
        raise Failure("loop IR and generated text have different numbers of kernels")
    return [kernel_of(dict(zip(forms, texts))) for texts in zip(*blocks.values())]


def split(text: str) -> list[str]:
    """A kernel starts at the lines that say what it is launched with; a batch has several of them. Where
    buffers lie is the plan's, not the kernel's, so these lines are left out."""
    kernels: list[list[str]] = []
    was_launch = False
    for line in text.splitlines():
        is_launch = LAUNCHED.match(line) is not None
        if is_launch and not was_launch:
            kernels.append([])
        if not is_launch:
            kernels[-1].append(line)
        was_launch = is_launch
    return ["\n".join(lines).strip("\n") + "\n" for lines in kernels]


def kernel_of(texts: dict[str, str]) -> Kernel:
    header = re.search(r"^kernel (\w+)\(.*$", texts["loop"], re.MULTILINE)
    if header is None:
        raise Failure("loop IR without a kernel")
    names = BUFFER.findall(header[0])
    plain = {ending: without_numbers(text, names) for ending, text in texts.items()}
    return Kernel(HASH.sub("", header[1]), family_of(texts["loop"]), plain)


def without_numbers(text: str, buffers: list[str]) -> str:
    """Hashes are left out of names, and so is the list of ops; the numbers of graph values in names of buffers
    become their position, so that a node more or less in front of a kernel does not change it."""
    short = {name: f"{re.sub(r'[0-9]*_[0-9]+$', '', name)}_{i}" for i, name in enumerate(buffers)}
    text = OPS.sub("", HASH.sub("", text))
    if not short:
        return text
    longest_first = sorted(short, key=len, reverse=True)
    pattern = rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?![0-9])"
    return re.sub(pattern, lambda match: short[match[1]], text)


def family_of(loop: str) -> str:
    """What its loops do, from the statements that only such kernels have."""
    for family, pattern in {"product": r"^\s*contract ", "scatter": r"# before$",  # matches: families of kernels
                            "scan": r"# scan$",
                            "reduction": r" (sum|prod|max|min|any|all)(= | v)"}.items():
        if re.search(pattern, loop, re.MULTILINE):
            return family
    return "random map" if "philox" in loop else "map"


def all_kernels(build: pathlib.Path, graphs: list[Graph]) -> tuple[dict, dict]:
    """Kernels by graph and machine, and what went wrong by the same."""
    kernels, failures = {}, {}

    def make(graph: Graph, machine: str) -> None:
        try:
            kernels[graph.name, machine] = kernels_of(build, graph, machine)
        except Failure as failure:
            failures[graph.name, machine] = str(failure).splitlines()[0]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(make, graph, machine) for graph in graphs for machine in FORMS]
        for job in jobs:
            job.result()
    return kernels, failures
