#!/usr/bin/env python3
"""Write tests/unit/text/frozen/tokenizers.json: small tokenizers, hard texts, and the ids that Hugging Face's
`tokenizers` 0.23.3 gives for them. With --minilm also the ids of MiniLM's own tokenizer, minilm.json.

usage: make_frozen.py [--minilm build/models/minilm/tokenizer.json]

Each tokenizer is trained here on the texts below, with the normalizers, pre-tokenizers, post-processors and
decoders of a family of models.
"""

import argparse
import json
import pathlib

from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors,
                        trainers)

FOLDER = pathlib.Path(__file__).parent / "frozen"

TEXTS = [
    "", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\t\n", "Hello world", " Hello world", "Hello  world ",
    "   leading", "trailing   ", "a\n\n  b\n c", "\n =", "' era", "I've been 'told he's there, 'RE you sure? We'Ve a'lL",
    "don't DON'T 'S 'ſ x'y''z", "3 33 333 3333 33333 3.3 3..3 1,000,000 ½ ² Ⅷ ٣٤", "w048 7tuijk dsdfhu",
    "Äpfel Straße ÀÉÎ ẞ İstanbul ΣΑΣ ǅ ﬁ ℌ", "e\u0301 a\u0308\u0316 \u0301\u0308", "нещо на Български",
    "កាន់តែពិសេសអាច", "😶\u200d🌫️ ✅ 🦙🦙 🇩🇪", "我想在apple工作1314151天～", "ひらがなカタカナ漢字 한국어 조선말",
    "a\u00a0b\u2003c\u3000d\u0085e", "x\u0000y\u0001\ufffd\ufeff\u00ad", "$+<=>^~|` \u20ac\u00a3 …。，、",
    "------======= ''''''```````\"\"\"\"......!!!!!!??????", "camelCaseHTTPServer snake_case kebab-case",
    "\u0378 \ue000 \U0010ffff", "<s> </s> <|end|> <unk> [CLS] [SEP] [MASK]", "a<|end|>b  <mask>  c <word> sword<word>s",
    "ÅÅ Å", "Ⓐ🅰 \u200c\u200d", "def f(x):\n    return x\n\n\n\tpass\n", "https://example.com/a?b=c&d=e#f",
    "supercalifragilisticexpialidocious " + "a" * 120, "▁a ▁▁b", "Word. Another, one! no? (yes) [no] {x}",
    "مرحبا بالعالم", "שלום עולם", "नमस्ते दुनिया", "Cửa Việt", "ＡＢＣ１２３", "\u1e9b\u0323 \u0958",
]

GPT2 = dict(add_prefix_space=False, use_regex=True)
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA3 = (CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace("{1,3}", "")
QWEN35 = (CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
LEAD, REST = r"[^\r\n\p{L}\p{N}]?", r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
GPT4O = (LEAD + UPPER + "*" + LOWER + "+" + CONTRACTIONS + "?|" + LEAD + UPPER + "+" + LOWER + "*" + CONTRACTIONS +
         r"?|\p{N}{1,3}|" + REST)
TEKKEN = LEAD + UPPER + "*" + LOWER + "+|" + LEAD + UPPER + "+" + LOWER + r"*|\p{N}|" + REST
DEEPSEEK_V3 = (r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
               r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def split(pattern, behavior="isolated"):
    return pre_tokenizers.Split(Regex(pattern), behavior)


def byte_level(*steps, prefix=False, regex=False, normalizer=None, post=None, ignore_merges=False):
    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    last = pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*steps, last]) if steps else last
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=380, show_progress=False, special_tokens=["<s>", "</s>", "<|end|>"],
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    if post:
        tokenizer.post_processor = post
    return tokenizer


def falcon():
    tokenizer = byte_level(pre_tokenizers.Punctuation("contiguous"), regex=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False),
         pre_tokenizers.Digits(individual_digits=False), split("[0-9][0-9][0-9]")])
    return tokenizer


def word_piece(lower, post):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=420, show_progress=False,
                                        special_tokens=["[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.train_from_iterator(TEXTS[:-8] * 3, trainer)
    tokenizer.post_processor = post
    return tokenizer


def llama2():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                           decoders.Strip(" ", 1, 0)])
    specials = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=520, show_progress=False, special_tokens=specials, limit_alphabet=120)
    tokenizer.train_from_iterator([text.replace("\n", " ") for text in TEXTS[8:20]] * 3, trainer)
    data = json.loads(tokenizer.to_str())
    # Bytes are tokens of the model and not looked for in the text.
    data["added_tokens"] = [token for token in data["added_tokens"] if not token["content"].startswith("<0x")]
    tokenizer = Tokenizer.from_str(json.dumps(data))
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return tokenizer


def unigram(scheme):
    tokenizer = Tokenizer(models.Unigram())
    steps = [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    # "first" behind Strip depends on whether something was stripped, which is an accident of offsets.
    tokenizer.normalizer = normalizers.Sequence(steps + [normalizers.Strip()] if scheme == "always" else steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme=scheme)
    trainer = trainers.UnigramTrainer(vocab_size=300, show_progress=False, unk_token="<unk>",
                                      special_tokens=["<unk>", "<s>", "</s>"])
    tokenizer.train_from_iterator(TEXTS[8:30] * 3, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return tokenizer


def plain_words():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(),
                                                 normalizers.StripAccents()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=350, show_progress=False, special_tokens=["<unk>"])
    tokenizer.train_from_iterator(TEXTS[8:35] * 3, trainer)
    tokenizer.add_tokens([AddedToken("<word>", single_word=True), AddedToken("apfel", normalized=True)])
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, rstrip=True), AddedToken("<|end|>", rstrip=True)])
    return tokenizer


def all_tokenizers():
    bert = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    kana, korean = "[一-龥\u3040-ゟ゠-ヿ]+", "[一-龥ࠀ-一가-\ud7ff]+"
    return {
        "gpt2": byte_level(regex=True),
        "roberta": byte_level(prefix=True, regex=True, post=processors.RobertaProcessing(("</s>", 1), ("<s>", 0))),
        "llama3": byte_level(split(LLAMA3), ignore_merges=True,
                             post=processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])),
        "qwen2": byte_level(split(QWEN2), normalizer=normalizers.NFC()),
        "qwen3.5": byte_level(split(QWEN35), normalizer=normalizers.NFC()),
        "gpt4o": byte_level(split(GPT4O)),
        "tekken": byte_level(split(TEKKEN)),
        "smollm": byte_level(pre_tokenizers.Digits(individual_digits=True), regex=True),
        "falcon": falcon(),
        "bloom": byte_level(split(" ?[^(\\s|[.,!?…。，、।۔،])]+")),
        "deepseek_v3": byte_level(split(r"\p{N}{1,3}"), split(kana), split(DEEPSEEK_V3)),
        "deepseek_coder": byte_level(split("[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"), split(korean),
                                     pre_tokenizers.Digits(individual_digits=True)),
        "bert": word_piece(True, bert),
        "bert_cased": word_piece(False, processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))),
        "llama2": llama2(),
        "unigram": unigram("always"),
        "unigram_first": unigram("first"),
        "words": plain_words(),
    }


def cases_of(tokenizer):
    cases = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        tokenizer.encode_special_tokens = True
        plain = tokenizer.encode(text, add_special_tokens=False).ids
        tokenizer.encode_special_tokens = False
        cases.append({"text": text, "ids": ids, "plain": plain, "decoded": tokenizer.decode(ids)})
    return cases


def write(path, value):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace('},{"text"', '},\n{"text"')
                    .replace('},{"name"', '},\n{"name"') + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minilm", type=pathlib.Path)
    arguments = parser.parse_args()
    write(FOLDER / "tokenizers.json",
          [{"name": name, "tokenizer": tokenizer.to_str(), "cases": cases_of(tokenizer)}
           for name, tokenizer in all_tokenizers().items()])
    if arguments.minilm:
        tokenizer = Tokenizer.from_file(str(arguments.minilm))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        write(FOLDER / "minilm.json", cases_of(tokenizer))


if __name__ == "__main__":
    main()
