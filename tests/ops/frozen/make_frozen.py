#!/usr/bin/env python3
"""Freezes PyTorch's results for the sample calls of every op.

  build/release/bin/ridge_ops_tests --gtest_also_run_disabled_tests --gtest_filter='*WriteSamples'
  python3 tests/ops/frozen/make_frozen.py samples.json tests/ops/frozen --op NAME

writes <op>.json, with arguments and results: of the op named, or without `--op` of each op it knows,
and names the others. An op that it does not know, or has no samples of, ends it with 1. Needs
PyTorch (made with 2.15), on the CPU. Cases PyTorch refuses are left out and counted. Where Ridge means
something else than PyTorch, the case has that result and says why ("differs").
"""
import argparse
import json
import math
import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
          "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "i8": torch.int8,
          "u8": torch.uint8, "bool": torch.bool}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
MOST_ELEMENTS = 128       # larger cases are for other tests
CASES = {"f64": 16, "f32": 8}  # the other dtypes get
FEW_CASES = 3
FIRST_EXTREME = 1000      # of the samples, as extreme_cases.h has it
MOST_EXTREME = 24         # of an op and dtype; for 16 bits and f64 only those of pointwise ops


def number(value):
    return float(value) if isinstance(value, str) else value


def to_tensor(item):
    values = [number(v) for v in item["values"]]
    wide = torch.float64 if item["dtype"][0] in "fb" and item["dtype"] != "bool" else torch.int64
    return torch.tensor(values, dtype=wide).reshape(item["shape"]).to(DTYPES[item["dtype"]])


def to_value(arg):
    if arg is None:
        return None
    (kind, content), = arg.items()
    if kind == "tensor":
        return to_tensor(content)
    if kind == "tensors":
        return [to_tensor(item) for item in content]
    if kind == "dtype":
        return DTYPES[content]
    if kind == "float":
        return float(content)
    return content


def shortest(value, dtype):
    """The fewest digits that are read back as the same number of the dtype."""
    if not math.isfinite(value):
        return str(value)
    for digits in range(1, 17):
        short = float(f"{value:.{digits}g}")
        if torch.tensor(short, dtype=torch.float64).to(dtype).double().item() == value:
            return int(short) if short == int(short) and (short or math.copysign(1, short) > 0) \
                and abs(short) < 1e6 else short
    return value


def to_json(tensor):
    tensor = tensor.detach().contiguous()
    if tensor.is_floating_point():
        values = [shortest(v, tensor.dtype) for v in tensor.double().flatten().tolist()]
    else:
        values = tensor.to(torch.int64).flatten().tolist()
    return {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "values": values}


def shortened(arg):
    """An argument with its tensors as to_json writes them."""
    if arg and "tensor" in arg:
        return {"tensor": to_json(to_tensor(arg["tensor"]))}
    if arg and "tensors" in arg:
        return {"tensors": [to_json(to_tensor(item)) for item in arg["tensors"]]}
    return arg


def dims_of(x, dims):
    return tuple(dims) if dims else tuple(range(x.dim()))


def windows(x, dim, kernel, stride, dilation):
    span = (kernel - 1) * dilation + 1
    return x.unfold(dim, span, stride)[..., ::dilation]


def slice_of(x, dim, bounds, step):
    index = range(x.shape[dim])[bounds[0]:bounds[1]:step]
    return x.index_select(dim, torch.tensor(list(index), dtype=torch.int64))


def layer_norm(x, weight, bias, eps, dims):
    return F.layer_norm(x, x.shape[x.dim() - dims:], weight, bias, eps)


def adjoint(function, grad, shape, *rest):
    """The transpose of a linear function of a tensor of `shape`, by autograd."""
    x = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
    out = function(x, *rest)
    result, = torch.autograd.grad(out, x, grad.double())
    return result.to(grad.dtype)


def slice_adjoint(grad, shape, dim, bounds, step):
    result = torch.zeros(shape, dtype=grad.dtype)
    index = torch.tensor(list(range(shape[dim])[bounds[0]:bounds[1]:step]), dtype=torch.int64)
    return result.index_add(dim, index, grad)


def arange(shape, start, step, dtype, device):
    return (start + step * torch.arange(shape[0], dtype=torch.float64)).to(dtype)


def sort_stable(x, dim, descending):
    return torch.sort(x, dim=dim, descending=descending, stable=True)


def rank_of(x, dim, descending):
    order = sort_stable(x, dim, descending).indices
    return torch.argsort(order, dim=dim)


def topk(x, k, dim, largest):
    values, indices = torch.sort(x, dim=dim, descending=largest, stable=True)
    return values.narrow(dim, 0, k), indices.narrow(dim, 0, k)


def cross_entropy(logits, target, label_smoothing, ignore_index):
    return F.cross_entropy(logits, target, ignore_index=ignore_index,
                           label_smoothing=label_smoothing)


def cumsum(x, dim, reverse=False):
    return torch.flip(torch.cumsum(torch.flip(x, [dim]), dim), [dim]) if reverse \
        else torch.cumsum(x, dim)


def fma(x, y, z):
    """Rounded once, by way of a type that is wider than f64."""
    wide = [t.double().numpy().astype(numpy.longdouble) for t in (x, y, z)]
    exact = torch.from_numpy(numpy.asarray(wide[0] * wide[1] + wide[2]).astype(numpy.float64))
    return exact.to(torch.addcmul(z, x, y).dtype)


def pad(x, pads, value):
    return F.pad(x, pads, value=value if x.is_floating_point() else int(value))


def flat(x, shape, strides, offset):
    return torch.as_strided(x.contiguous(), shape, strides, offset[0])


def strided_scatter(x, source, strides, offset):
    result = x.clone()
    torch.as_strided(result, source.shape, strides, offset[0]).copy_(source)
    return result


def slice_scatter(x, source, dim, bounds, step):
    index = list(range(x.shape[dim])[bounds[0]:bounds[1]:step])
    return x.index_copy(dim, torch.tensor(index, dtype=torch.int64), source)


def strided_adjoint(grad, shape, strides, offset):
    return adjoint(lambda x: torch.as_strided(x, grad.shape, strides, offset[0]), grad, shape)


def reduce_with(function):
    return lambda x, dims, keepdim: function(x, dim=dims_of(x, dims), keepdim=keepdim)


def prod(x, dims, keepdim):
    """PyTorch multiplies over one dim at a time; rounding once needs a wider type in between."""
    result = x.double() if x.is_floating_point() else x
    for dim in sorted((d % x.dim() for d in dims_of(x, dims)), reverse=True) if x.dim() else []:
        result = torch.prod(result, dim, keepdim)
    return result.to(x.dtype) if x.is_floating_point() else result.to(torch.int64)


# Same name, same arguments, in torch or torch.nn.functional.
PLAIN = """add sub mul div pow neg abs sign minimum maximum reciprocal square clamp floor ceil round
trunc where exp log log1p sqrt rsqrt sin cos tanh erf sigmoid logical_and logical_or logical_xor
logical_not argmax argmin matmul gather index_select scatter scatter_add softmax log_softmax transpose
select squeeze unsqueeze triu tril atan2 relu silu softplus permute reshape flip stack cat linear conv1d conv2d""".split()

SPECIAL = {
    "floor_div": torch.floor_divide, "remainder": torch.remainder,
    "equal": torch.eq, "not_equal": torch.ne, "less": torch.lt, "less_equal": torch.le,
    "greater": torch.gt, "greater_equal": torch.ge, "is_nan": torch.isnan,
    "is_finite": torch.isfinite, "batched_matmul": torch.matmul,
    "gelu": lambda x: F.gelu(x), "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "leaky_relu": lambda x, slope: F.leaky_relu(x, slope),
    "cast": lambda x, dtype: x.to(dtype), "contiguous": lambda x: x,
    "copy": lambda x, source: x.clone().copy_(source),
    "stop_gradient": lambda x: x, "detach": lambda x: x,
    "zeros": lambda shape, dtype, device: torch.zeros(shape, dtype=dtype),
    "ones": lambda shape, dtype, device: torch.ones(shape, dtype=dtype),
    "full": lambda shape, value, dtype, device: torch.full(shape, value).to(dtype),
    "linspace": lambda shape, start, end, dtype, device: torch.linspace(
        start, end, shape[0], dtype=dtype),
    "arange": arange, "eye": lambda shape, dtype, device: torch.eye(*shape, dtype=dtype),
    "clone": lambda x: x.clone(), "zeros_like": torch.zeros_like, "ones_like": torch.ones_like,
    "full_like": lambda x, value: torch.full_like(x, value).to(x.dtype),
    "sum": reduce_with(torch.sum), "max": reduce_with(torch.amax), "min": reduce_with(torch.amin),
    "mean": reduce_with(torch.mean), "logsumexp": reduce_with(torch.logsumexp),
    # On u8 PyTorch keeps u8 for history's sake.
    "any": lambda *args: reduce_with(torch.any)(*args).bool(),
    "all": lambda *args: reduce_with(torch.all)(*args).bool(),
    "prod": prod,
    "var": lambda x, dims, correction, keepdim: torch.var(
        x, dim=dims_of(x, dims), correction=correction, keepdim=keepdim),
    "std": lambda x, dims, correction, keepdim: torch.std(
        x, dim=dims_of(x, dims), correction=correction, keepdim=keepdim),
    "expand": lambda x, shape: x.expand(*shape) if shape else x,
    "slice": slice_of, "pad": pad, "windows": windows, "slice_adjoint": slice_adjoint,
    "windows_adjoint": lambda grad, shape, dim, stride, dilation: adjoint(
        lambda x: windows(x, dim, grad.shape[-1], stride, dilation), grad, shape),
    "squeeze": lambda x, dims: x.squeeze(tuple(dims)) if dims else x.squeeze(),
    "flatten": lambda x, *dims: torch.flatten(x, *dims),
    "embedding": lambda weight, index: F.embedding(index, weight),
    "one_hot": lambda index, classes: F.one_hot(index, classes),
    "layer_norm": layer_norm,
    "rms_norm": lambda x, weight, eps: F.rms_norm(x, x.shape[-1:], weight, eps),
    "cross_entropy": cross_entropy, "mse_loss": F.mse_loss,
    "binary_cross_entropy_with_logits": F.binary_cross_entropy_with_logits,
    "scaled_dot_product_attention": lambda q, k, v, mask, is_causal, scale:
        F.scaled_dot_product_attention(q, k, v, mask, 0.0, is_causal, scale=scale),
    "max_pool1d": lambda x, *a: F.max_pool1d(x, *a), "max_pool2d": lambda x, *a: F.max_pool2d(x, *a),
    "avg_pool1d": lambda x, *a: F.avg_pool1d(x, *a), "avg_pool2d": lambda x, *a: F.avg_pool2d(x, *a),
    "fma": fma,
    "strided": flat, "strided_scatter": strided_scatter, "slice_scatter": slice_scatter,
    "strided_adjoint": strided_adjoint,
    "element_count": lambda shape, device: torch.tensor(math.prod(shape)),
    "cumsum": cumsum, "sort": sort_stable, "rank_of": rank_of, "topk": topk,
    "argsort": lambda x, dim, descending: sort_stable(x, dim, descending).indices,
}


def saturating_cast(x, dtype):
    if dtype.is_floating_point or dtype == torch.bool or not x.is_floating_point():
        return x.to(dtype)
    limits = torch.iinfo(dtype)
    whole = [0 if math.isnan(v) else limits.max if v >= limits.max else
             limits.min if v <= limits.min else int(v) for v in x.double().flatten().tolist()]
    return torch.tensor(whole, dtype=dtype).reshape(x.shape)


def exact_remainder(x, y):
    result = torch.remainder(x, y)
    if not result.is_floating_point():
        return result
    both = zip(*(t.double().flatten().tolist() for t in torch.broadcast_tensors(x, y)))
    is_lost = torch.tensor([b != 0 and math.isfinite(a) and math.isfinite(b) for a, b in both],
                           dtype=torch.bool)
    return torch.where(is_lost.reshape(result.shape) & torch.isnan(result), 0.0, result)


def two_sided_cross_entropy(x, y):
    return (y * F.softplus(-x) + (1 - y) * F.softplus(x)).mean()


# What Ridge means where that is not what PyTorch gives, and why.
DIFFERS = {
    "remainder": (exact_remainder, "the remainder is exact; PyTorch's vector code divides, and "
                  "gives NaN where the quotient overflows"),
    "binary_cross_entropy_with_logits": (
        two_sided_cross_entropy, "y * softplus(-x) + (1 - y) * softplus(x) keeps the digits of "
        "small losses; an infinite target, which is no probability, gives NaN"),
    "cast": (saturating_cast, "a real out of range of an integer type saturates and NaN is 0 "
             "(core/element_cast.h): C++ leaves it undefined, and PyTorch gives what the CPU does"),
    "sign": (lambda x: torch.where(torch.isnan(x), x, torch.sign(x)) if x.is_floating_point()
             else torch.sign(x), "the sign of NaN is NaN (expr/function.h), as in NumPy"),
}


def function_for(op):
    if op in SPECIAL:
        return SPECIAL[op]
    if op in PLAIN:
        return getattr(torch, op, None) or getattr(F, op)
    return None


def is_small(args):
    total = 0
    for arg in args:
        for item in ([arg["tensor"]] if arg and "tensor" in arg else
                     arg["tensors"] if arg and "tensors" in arg else []):
            total += len(item["values"])
    return total <= MOST_ELEMENTS


def widen(value):
    if isinstance(value, list):
        return [widen(item) for item in value]
    is_narrow = isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return value.double() if is_narrow else value


def results_of(function, args):
    """What PyTorch gives. On 16-bit operands some of its kernels round in between, so there the
    values come from f64 and are rounded once; the dtypes are those of the plain call."""
    results = function(*args)
    results = [results] if isinstance(results, torch.Tensor) else list(results)
    if any(widen(arg) is not arg for arg in args if not isinstance(arg, list)):
        exact = function(*[widen(arg) for arg in args])
        exact = [exact] if isinstance(exact, torch.Tensor) else list(exact)
        results = [e.to(r.dtype) for e, r in zip(exact, results)]
    return results


def is_alike(a, b):
    """Equal, or for floats of one kind: NaN where NaN is, infinite where infinite."""
    if not a.is_floating_point():
        return bool((a == b).all())
    return bool((((a != a) == (b != b)) & (torch.isinf(a) == torch.isinf(b))).all())


def is_wanted(sample, taken, is_pointwise):
    dtype, is_extreme = sample["dtype"], sample["sample"] >= FIRST_EXTREME
    if is_extreme and dtype != "f32" and not is_pointwise:
        return False
    most = MOST_EXTREME if is_extreme else CASES.get(dtype, FEW_CASES)
    return taken.get((dtype, is_extreme), 0) < most and is_small(sample["args"])


def freeze(op, samples):
    """The cases of one op with PyTorch's results, and how many it refused (and why)."""
    function, cases, taken, refused = function_for(op), [], {}, []
    for sample in samples:
        dtype = sample["dtype"]
        if not is_wanted(sample, taken, sample["is_pointwise"]):
            continue
        args = [to_value(arg) for arg in sample["args"]]
        try:
            results = results_of(function, args)
        except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError) as error:
            refused.append(f"{dtype}/{sample['sample']}: {str(error).splitlines()[0]}")
            continue
        if any(r.dtype not in NAMES for r in results):
            refused.append(f"{dtype}/{sample['sample']}: result dtype {results[0].dtype}")
            continue
        case = {k: sample[k] for k in ("dtype", "sample")}
        if op in DIFFERS:
            ours = DIFFERS[op][0](*args)
            if not is_alike(ours, results[0]):
                results, case["differs"] = [ours], DIFFERS[op][1]
        key = (dtype, sample["sample"] >= FIRST_EXTREME)
        taken[key] = taken.get(key, 0) + 1
        cases.append({**case, "args": [shortened(arg) for arg in sample["args"]],
                      "results": [to_json(r) for r in results]})
    return cases, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--op", help="freeze this op alone")
    options = parser.parse_args()
    if options.op and function_for(options.op) is None:
        sys.exit(f"no PyTorch counterpart of {options.op}: name it in PLAIN or SPECIAL")
    by_op = {}
    for sample in json.loads(options.samples.read_text()):
        if options.op in (None, sample["op"]):
            by_op.setdefault(sample["op"], []).append(sample)
    if options.op and not by_op:
        sys.exit(f"{options.samples} has no samples of {options.op}")
    unknown = [op for op in by_op if function_for(op) is None]
    for op in sorted(set(by_op) - set(unknown)):
        cases, refused = freeze(op, by_op[op])
        print(f"{op}: {len(cases)} cases, {len(refused)} refused")
        for reason in refused[:3]:
            print("    " + reason)
        if cases:
            # One case a line keeps the files readable and their diffs small.
            lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
            (options.folder / f"{op}.json").write_text(
                f'{{"op":"{op}","made_with":"torch {torch.__version__.split("+")[0]}",'
                f'"cases":[\n{lines}\n]}}\n')
    print("no PyTorch counterpart:", ", ".join(unknown) or "none")


main()
