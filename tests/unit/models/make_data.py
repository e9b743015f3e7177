#!/usr/bin/env python3
"""Exports small models with random weights, and what PyTorch computes with them.

  python3 tests/unit/models/make_data.py tests/unit/models/data

writes a folder for each model: config.json and model.safetensors as Hugging Face names them, and
expected.safetensors with the input, the outputs in f64 and `f32_error`, the root mean square of
PyTorch's own error in f32. Needs torch, transformers 5 and safetensors (made with torch 2.11 and
transformers 5.23). The models are seeded: a second run writes the same files.
"""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import (BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, LlamaConfig,
                          LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM, ViTConfig,
                          ViTForImageClassification)

LLAMA = dict(vocab_size=48, hidden_size=24, intermediate_size=40, num_hidden_layers=2,
             num_attention_heads=4, num_key_value_heads=2, head_dim=8,
             max_position_embeddings=64, bos_token_id=1, eos_token_id=2)
LLAMA3_ROPE = dict(rope_type="llama3", rope_theta=500.0, factor=8.0, low_freq_factor=1.0,
                   high_freq_factor=4.0, original_max_position_embeddings=16)


def filled(model, seed):
    """Weights large enough that every part of the model matters for its result."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            scale = 1.0 if parameter.dim() == 1 else parameter.shape[-1] ** -0.5
            values = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            is_norm = parameter.dim() == 1 and name.endswith("weight")
            parameter.copy_((1.0 + 0.2 * values if is_norm else scale * values).float())
    return model.eval()


def outputs(model, call):
    with torch.no_grad():
        single = call(model.float())
        double = call(model.double())
    model.float()
    error = {name: (single[name].double() - double[name]).square().mean().sqrt() for name in double}
    return double, error


def write(folder, config, tensors, inputs, double, error):
    folder.mkdir(parents=True, exist_ok=True)
    if config is not None:
        text = json.dumps(config, indent=1, sort_keys=True)
        (folder / "config.json").write_text(text + "\n")
    save_file({name: t.contiguous().clone() for name, t in tensors.items()},
              folder / "model.safetensors")
    expected = dict(inputs)
    expected.update(double)
    expected.update({name + ".f32_error": value.reshape(1) for name, value in error.items()})
    save_file({name: t.contiguous() for name, t in expected.items()},
              folder / "expected.safetensors")


def language_model(folder, model, seed, keep=lambda name: True):
    model = filled(model, seed)
    ids = torch.randint(3, 48, (2, 11), generator=torch.Generator().manual_seed(seed))
    double, error = outputs(model, lambda m: {"logits": m(ids).logits})
    tensors = {name: t for name, t in model.state_dict().items() if keep(name)}
    write(folder, model.config.to_dict(), tensors, {"ids": ids}, double, error)


def bert(folder):
    config = BertConfig(vocab_size=48, hidden_size=24, intermediate_size=40, num_hidden_layers=2,
                        num_attention_heads=4, max_position_embeddings=16,
                        attn_implementation="eager")
    model = filled(BertModel(config), 5)
    ids = torch.randint(0, 48, (2, 9), generator=torch.Generator().manual_seed(5))
    mask = torch.ones(2, 9, dtype=torch.int64)
    mask[1, 6:] = 0

    def call(m):
        out = m(ids, attention_mask=mask)
        weight = mask.unsqueeze(-1).to(out.last_hidden_state.dtype)
        mean = (out.last_hidden_state * weight).sum(1) / weight.sum(1)
        return {"embedding": torch.nn.functional.normalize(mean, dim=-1),
                "pooled": out.pooler_output}

    double, error = outputs(model, call)
    write(folder, model.config.to_dict(), model.state_dict(),
          {"ids": ids, "mask": mask}, double, error)


def vit_hub_names(name):
    """As files on the hub have them, before transformers 5 renames while loading."""
    for new, old in (("vit.layers.", "vit.encoder.layer."), ("q_proj", "attention.query"),
                     ("k_proj", "attention.key"), ("v_proj", "attention.value"),
                     ("attention.o_proj", "attention.output.dense"),
                     ("mlp.fc1", "intermediate.dense"), ("mlp.fc2", "output.dense")):
        name = name.replace(new, old)
    return name


def vit_torchvision(state, layers):
    """The same weights under torchvision's names: queries, keys and values are one tensor."""
    out = {"class_token": state["vit.embeddings.cls_token"],
           "encoder.pos_embedding": state["vit.embeddings.position_embeddings"]}
    for kind in ("weight", "bias"):
        out["conv_proj." + kind] = state["vit.embeddings.patch_embeddings.projection." + kind]
        out["encoder.ln." + kind] = state["vit.layernorm." + kind]
        out["heads.head." + kind] = state["classifier." + kind]
        for i in range(layers):
            to, at = f"encoder.layers.encoder_layer_{i}.", f"vit.layers.{i}."
            out[to + "self_attention.in_proj_" + kind] = torch.cat(
                [state[at + f"attention.{p}_proj." + kind] for p in "qkv"])
            for ours, theirs in (("ln_1", "layernorm_before"), ("ln_2", "layernorm_after"),
                                 ("self_attention.out_proj", "attention.o_proj"),
                                 ("mlp.0", "mlp.fc1"), ("mlp.3", "mlp.fc2")):
                out[to + ours + "." + kind] = state[at + theirs + "." + kind]
    return out


def vit(root):
    config = ViTConfig(hidden_size=24, num_attention_heads=4, num_hidden_layers=2,
                       intermediate_size=40, image_size=12, patch_size=4, num_labels=7,
                       layer_norm_eps=1e-6)
    model = filled(ViTForImageClassification(config), 6)
    images = torch.randn(2, 3, 12, 12, generator=torch.Generator().manual_seed(6))
    double, error = outputs(
        model, lambda m: {"logits": m(images.to(next(m.parameters()).dtype)).logits})
    state = model.state_dict()
    settings = model.config.to_dict()
    settings = {k: v for k, v in settings.items() if k not in ("id2label", "label2id")}
    write(root / "vit", settings, state, {"images": images}, double, error)
    write(root / "vit_hub", settings, {vit_hub_names(n): t for n, t in state.items()},
          {"images": images}, double, error)
    write(root / "vit_torchvision", None, vit_torchvision(state, 2),
          {"images": images}, double, error)


def main():
    root = pathlib.Path(sys.argv[1])
    torch.set_num_threads(1)
    gpt2 = GPT2Config(vocab_size=48, n_embd=24, n_head=4, n_layer=2, n_positions=32,
                      bos_token_id=1, eos_token_id=2)
    language_model(root / "gpt2", GPT2LMHeadModel(gpt2), 1, lambda name: name != "lm_head.weight")
    language_model(root / "llama", LlamaForCausalLM(LlamaConfig(
        **LLAMA, rope_parameters=LLAMA3_ROPE)), 2)
    language_model(root / "smollm2", LlamaForCausalLM(LlamaConfig(
        **LLAMA, tie_word_embeddings=True)), 3, lambda name: name != "lm_head.weight")
    language_model(root / "qwen2", Qwen2ForCausalLM(Qwen2Config(**LLAMA)), 4)
    bert(root / "bert")
    vit(root)


main()
