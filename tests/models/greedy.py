#!/usr/bin/env python3
"""What transformers goes on with, taking the likeliest token each time.

  python3 tests/models/greedy.py SmolLM2-135M-Instruct.Q4_1.gguf 504 3575 282 4649 314

prints the next token, its logit and 64 tokens, which packages_test.cpp has. Weights are dequantized to
f32. Needs torch, transformers and gguf (made with torch 2.11, transformers 5.23, gguf 0.19).
"""
import pathlib
import sys

import torch
from transformers import AutoModelForCausalLM


def main():
    path = pathlib.Path(sys.argv[1])
    model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name,
                                                 dtype=torch.float32).eval()
    ids = torch.tensor([[int(token) for token in sys.argv[2:]]])
    tokens, past = [], None
    with torch.no_grad():
        for _ in range(64):
            out = model(ids, past_key_values=past, use_cache=True)
            past, logits = out.past_key_values, out.logits[0, -1]
            if not tokens:
                print(int(logits.argmax()), float(logits.max()))
            tokens.append(int(logits.argmax()))
            ids = torch.tensor([[tokens[-1]]])
    print(*tokens, sep=", ")


main()
