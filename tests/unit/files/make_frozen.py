#!/usr/bin/env python3
"""Small files as other programs write them, for the tests of ridge/files.

usage: make_frozen.py        needs the packages numpy, gguf, safetensors and torch; writes frozen/
What the files hold is a function of the seed, so running it again changes nothing.
"""

import json
import pathlib

import gguf
import numpy as np
import safetensors.numpy
import safetensors.torch
import torch

FOLDER = pathlib.Path(__file__).parent / "frozen"
FORMATS = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS"]
# Where a block has f16 numbers: they must be finite, so they are not left to chance.
HALVES = {"Q4_1": [0, 2], "Q5_1": [0, 2], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}


def random_blocks(random, name, count):
    kind = gguf.GGMLQuantizationType[name]
    size = gguf.GGML_QUANT_SIZES[kind][1]
    blocks = random.integers(0, 256, (count, size), dtype=np.uint8)
    for at in HALVES.get(name, [0]):
        halves = random.normal(0, 0.1, (count, 1)).astype(np.float16)
        blocks[:, at : at + 2] = halves.view(np.uint8)
    return kind, blocks


def write_blocks(random):
    """Blocks of chance with the values that the package gguf gives them, as bits of f32."""
    lines = []
    for name in FORMATS:
        kind, blocks = random_blocks(random, name, 2)
        values = gguf.dequantize(blocks.reshape(1, -1), kind).astype("<f4")
        lines.append(json.dumps({"format": name.lower(), "blocks": blocks.tobytes().hex(), "values": values.tobytes().hex()}))
    (FOLDER / "blocks.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


def write_gguf(random):
    writer = gguf.GGUFWriter(FOLDER / "small.gguf", "llama")
    writer.add_uint32("llama.block_count", 30)
    writer.add_key_value("test.u8", 200, gguf.GGUFValueType.UINT8)
    writer.add_key_value("test.i8", -100, gguf.GGUFValueType.INT8)
    writer.add_key_value("test.u16", 60000, gguf.GGUFValueType.UINT16)
    writer.add_key_value("test.i16", -30000, gguf.GGUFValueType.INT16)
    writer.add_key_value("test.i32", -2000000000, gguf.GGUFValueType.INT32)
    writer.add_key_value("test.u64", 2**63 + 1, gguf.GGUFValueType.UINT64)
    writer.add_key_value("test.i64", -(2**62), gguf.GGUFValueType.INT64)
    writer.add_float32("test.f32", 0.1)
    writer.add_float64("test.f64", 0.1)
    writer.add_bool("test.yes", True)
    writer.add_string("tokenizer.ggml.model", "gpt2")
    writer.add_array("tokenizer.ggml.tokens", ["a", "", "Ġthe", "日本"])
    writer.add_array("test.integers", [1, -2, 3])
    writer.add_array("test.reals", [0.5, -1.5])
    writer.add_array("test.flags", [True, False, True])
    writer.add_tensor("norm", np.arange(5, dtype=np.float32))
    writer.add_tensor("half", np.arange(6, dtype=np.float16).reshape(2, 3))
    brain = torch.arange(6, dtype=torch.bfloat16).view(torch.uint8).numpy()
    writer.add_tensor("brain", brain.reshape(2, 6), raw_dtype=gguf.GGMLQuantizationType.BF16)
    kind, blocks = random_blocks(random, "Q4_1", 6)
    writer.add_tensor("weight", blocks.reshape(3, -1), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def numpy_arrays():
    return {
        "f32": np.arange(6, dtype=np.float32).reshape(2, 3),
        "f64": np.array([0.1, -1e300]),
        "f16": np.arange(3, dtype=np.float16),
        "i64": np.array([[-(2**62)]], dtype=np.int64),
        "i16": np.array([-5, 5], dtype=np.int16),
        "u8": np.array([0, 255], dtype=np.uint8),
        "bool": np.array([True, False, True]),
        "scalar": np.array(7, dtype=np.int32),
        "empty": np.zeros((0, 4), dtype=np.float32),
        "fortran": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    }


def write_numpy():
    arrays = numpy_arrays()
    np.save(FOLDER / "f32.npy", arrays["f32"])
    np.save(FOLDER / "fortran.npy", arrays["fortran"])
    np.save(FOLDER / "big_endian.npy", arrays["f32"].astype(">f4"))
    np.save(FOLDER / "object.npy", np.array([{}], dtype=object))
    np.savez(FOLDER / "stored.npz", **arrays)
    np.savez_compressed(FOLDER / "deflated.npz", zeros=np.zeros(5000, np.float32), **arrays)


def write_safetensors():
    safetensors.numpy.save_file(
        {k: np.ascontiguousarray(v) for k, v in numpy_arrays().items()},
        FOLDER / "numpy.safetensors", metadata={"made by": "numpy"})
    tensors = {
        "brain": torch.arange(4, dtype=torch.bfloat16),
        "e4m3": torch.tensor([1.0, -2.0]).to(torch.float8_e4m3fn),
        "e5m2": torch.tensor([1.0, -2.0]).to(torch.float8_e5m2),
        "u16": torch.tensor([65535], dtype=torch.uint16),
    }
    safetensors.torch.save_file(tensors, FOLDER / "torch.safetensors")


class Anything:
    pass


def write_pytorch():
    base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    model = torch.nn.Linear(2, 3)
    torch.nn.init.constant_(model.weight, 0.25)
    torch.nn.init.constant_(model.bias, -1)
    torch.save(
        {
            "model": model.state_dict(),
            "views": [base, base.t(), base[1:, 2:], base[0, 0]],
            "brain": torch.arange(3, dtype=torch.bfloat16),
            "flags": torch.tensor([True, False]),
            "integers": torch.tensor([-1, 2**40]),
            "empty": torch.zeros(0, 3),
            "epoch": 3,
            "note": "text",
            "rate": 0.5,
            5: torch.tensor(1.5, dtype=torch.float64),
        },
        FOLDER / "checkpoint.pt")
    torch.save({"x": Anything()}, FOLDER / "code.pt")


def main():
    FOLDER.mkdir(exist_ok=True)
    random = np.random.default_rng(42)
    write_blocks(random)
    write_gguf(random)
    write_numpy()
    write_safetensors()
    write_pytorch()


if __name__ == "__main__":
    main()
