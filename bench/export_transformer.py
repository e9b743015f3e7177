#!/usr/bin/env python3
"""A hundred steps of training a small transformer in PyTorch: what tests/model replays in Ridge.

Writes one file, transformer.steps: the initial weights, the tokens of every step, and for every step
the loss, the norm of the gradients before clipping and the learning rate. Lines of text, one for each
array, "dtype name size size ...", and an empty line; then the arrays one behind the other, row-major
and little-endian. The losses are those of f32 on the CPU. The last lines printed say how far the same
steps in f64 are from them, which is what rounding alone does to a run.

    python3 bench/export_transformer.py [--out tests/model]

The model is that of tests/model/transformer.h, the names are its paths. Tokens come from a random
table of successors, so that there is something to learn: a loss of ln 64 falls toward ln 4.
"""

import argparse
import math
import pathlib

import torch
import torch.nn.functional as F

VOCABULARY, TOKENS, WIDTH, HEADS, DEPTH = 64, 16, 32, 4, 2
BATCH, STEPS, SUCCESSORS = 8, 100, 4
PEAK_RATE, LAST_RATE, WARM_UP = 4e-3, 4e-4, 10
BETAS, EPS, WEIGHT_DECAY, CLIP_NORM = (0.9, 0.95), 1e-8, 0.1, 1.0

Weights = dict[str, torch.Tensor]


def initial_weights() -> Weights:
    """Normal matrices as in GPT-2; vectors near what they usually start from, but none of them equal,
    so that a wrong one is seen in the first loss."""
    weights = {"token.weight": 0.2 * torch.randn(VOCABULARY, WIDTH),
               "position": 0.2 * torch.randn(TOKENS, WIDTH)}

    def norm(name: str) -> None:
        weights[f"{name}.weight"] = 1 + 0.1 * torch.randn(WIDTH)
        weights[f"{name}.bias"] = 0.1 * torch.randn(WIDTH)

    def linear(name: str, inputs: int, outputs: int) -> None:
        weights[f"{name}.weight"] = torch.randn(outputs, inputs) / math.sqrt(inputs)
        weights[f"{name}.bias"] = 0.1 * torch.randn(outputs)

    for block in (f"blocks.{i}" for i in range(DEPTH)):
        norm(f"{block}.attention_norm")
        linear(f"{block}.attention.qkv", WIDTH, 3 * WIDTH)
        linear(f"{block}.attention.output", WIDTH, WIDTH)
        norm(f"{block}.mlp_norm")
        linear(f"{block}.mlp.up", WIDTH, 4 * WIDTH)
        linear(f"{block}.mlp.down", 4 * WIDTH, WIDTH)
    norm("norm")
    return weights


def sample_tokens() -> torch.Tensor:
    """[steps, batch, tokens + 1]: each token is one of the successors of the one before."""
    successors = torch.randint(VOCABULARY, (VOCABULARY, SUCCESSORS))
    token = torch.randint(VOCABULARY, (STEPS, BATCH))
    tokens = [token]
    for _ in range(TOKENS):
        token = successors[token, torch.randint(SUCCESSORS, (STEPS, BATCH))]
        tokens.append(token)
    return torch.stack(tokens, dim=-1)


def attention(x: torch.Tensor, w: Weights, name: str) -> torch.Tensor:
    joint = F.linear(x, w[f"{name}.qkv.weight"], w[f"{name}.qkv.bias"])
    q, k, v = (joint.reshape(BATCH, TOKENS, 3, HEADS, WIDTH // HEADS)
               .permute(2, 0, 3, 1, 4).unbind(0))
    scores = q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)
    hidden = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    mixed = scores.masked_fill(hidden, -math.inf).softmax(-1) @ v
    joined = mixed.transpose(1, 2).reshape(BATCH, TOKENS, WIDTH)
    return F.linear(joined, w[f"{name}.output.weight"], w[f"{name}.output.bias"])


def mlp(x: torch.Tensor, w: Weights, name: str) -> torch.Tensor:
    hidden = F.gelu(F.linear(x, w[f"{name}.up.weight"], w[f"{name}.up.bias"]))
    return F.linear(hidden, w[f"{name}.down.weight"], w[f"{name}.down.bias"])


def norm(x: torch.Tensor, w: Weights, name: str) -> torch.Tensor:
    return F.layer_norm(x, (WIDTH,), w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)


def loss_of(w: Weights, tokens: torch.Tensor) -> torch.Tensor:
    x = w["token.weight"][tokens[:, :-1]] + w["position"]
    for block in (f"blocks.{i}" for i in range(DEPTH)):
        x = x + attention(norm(x, w, f"{block}.attention_norm"), w, f"{block}.attention")
        x = x + mlp(norm(x, w, f"{block}.mlp_norm"), w, f"{block}.mlp")
    logits = norm(x, w, "norm") @ w["token.weight"].T
    return F.cross_entropy(logits.reshape(-1, VOCABULARY), tokens[:, 1:].reshape(-1))


def rate_of(step: int) -> float:
    """Linear from the last rate to the peak, then half a cosine down again."""
    if step < WARM_UP:
        return LAST_RATE + (PEAK_RATE - LAST_RATE) * step / WARM_UP
    progress = (step - WARM_UP) / (STEPS - WARM_UP)
    return LAST_RATE + (PEAK_RATE - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))


def train(initial: Weights, tokens: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Rows of loss, norm of the gradients and learning rate, in f64."""
    weights = {name: value.to(dtype).clone().requires_grad_() for name, value in initial.items()}
    matrices = [value for value in weights.values() if value.dim() > 1]
    vectors = [value for value in weights.values() if value.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": WEIGHT_DECAY},
                                   {"params": vectors, "weight_decay": 0.0}],
                                  betas=BETAS, eps=EPS)
    rows = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate_of(step)
        optimizer.zero_grad()
        loss = loss_of(weights, tokens[step])
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(weights.values(), CLIP_NORM)
        optimizer.step()
        rows.append([loss.item(), length.item(), rate_of(step)])
    return torch.tensor(rows, dtype=torch.float64)


def write(path: pathlib.Path, arrays: Weights) -> None:
    names = {torch.float32: "f32", torch.float64: "f64", torch.int32: "i32"}
    lines = [" ".join([names[value.dtype], name, *map(str, value.shape)])
             for name, value in arrays.items()]
    with path.open("wb") as file:
        file.write("\n".join([*lines, "", ""]).encode())
        for value in arrays.values():
            # By way of a list, because .numpy() wants a package of its own.
            file.write(bytes(value.contiguous().flatten().view(torch.uint8).tolist()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tests/model"))
    out = parser.parse_args().out
    torch.manual_seed(7)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    weights, tokens = initial_weights(), sample_tokens()
    rows = train(weights, tokens, torch.float32)
    path = out / "transformer.steps"
    write(path, {**weights, "tokens": tokens.int(), "losses": rows[:, 0], "norms": rows[:, 1],
                 "rates": rows[:, 2]})
    exact = train(weights, tokens, torch.float64)
    distance = ((rows - exact).abs() / exact.abs()).max(0).values
    print(f"{path}: {path.stat().st_size} bytes, torch {torch.__version__}")
    print(f"loss {rows[0, 0]:.4f} to {rows[-1, 0]:.4f}, largest norm {rows[:, 1].max():.4f}")
    print(f"f64 differs by at most {distance[0]:.2e} in losses, {distance[1]:.2e} in norms")


if __name__ == "__main__":
    main()
