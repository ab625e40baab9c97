"""The answers of all exercises once more, by definition: plain loops, no NumPy.

Each function takes the bare numbers and words of an exercise (`given`) and returns
what its fields must hold. Nothing here comes from `llm/`.
"""

from math import cos, exp, log, sin, sqrt


def dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def softmax(scores):
    powers = [exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def steps_between(given):
    return {"recurrent": given["late"] - given["early"], "attention": 1}


def pairs(given):
    size, times = given["size"], given["times"]
    return {"short": size**2, "long": (size * times) ** 2}


def one_hot_row(given):
    total = [0, 0, 0]
    for place, row in enumerate(given["rows"]):
        one = 1 if place == given["asked"] else 0
        total = [t + one * number for t, number in zip(total, row)]
    return dict(zip(("first", "second", "third"), total))


def nearest_by_cosine(given):
    first, *others = given["rows"]
    cosines = {
        word: dot(first, row) / sqrt(dot(first, first) * dot(row, row))
        for word, row in zip(given["words"], others)
    }
    word = max(cosines, key=cosines.get)
    return {"word": word, "cosine": cosines[word]}


def sinusoid(given):
    column, even = given["column"], given["column"] - given["column"] % 2
    angle = given["position"] / 10000 ** (even / given["width"])
    return {"value": cos(angle) if column % 2 else sin(angle)}


def word_and_position(given):
    total = [a + b for a, b in zip(given["row"], given["position"])]
    return dict(zip(("first", "second", "third"), total))


def mask(given):
    tokens, asks = given["tokens"], given["asks"]
    names = [f"{place} {token}" for place, token in enumerate(tokens)]
    allowed = sum(
        1 for row in range(len(tokens)) for column in range(len(tokens))
        if column <= row
    )
    return {"seen": names[: asks + 1], "pairs": allowed}


def what_it_is(given):
    tired = "tired sleepy scared weak lazy".split()
    return {"words": [word for word in given["options"] if word not in tired]}


def score(given):
    product = dot(given["query"], given["key"])
    return {"dot": product, "score": product / 2}


def softmax_row(given):
    return {str(n): w for n, w in enumerate(softmax(given["scores"]))}


def blended(given):
    columns = zip(*given["values"])
    return dict(zip(("first", "second"), (dot(given["weights"], c) for c in columns)))


def order_steps(given):
    order = ["compare", "divide", "apply", "softmax", "blend", "join"]
    steps = sorted(given["steps"], key=lambda s: order.index(s.split()[0].strip(":")))
    return {"order": tuple(steps)}


def head_sizes(given):
    width, heads = given["width"], given["heads"]
    return {"head_dim": width // heads, "parameters": 4 * width**2 + 4 * width}


def normalised(given):
    numbers = given["vector"]
    mean = sum(numbers) / 4
    variance = sum((n - mean) ** 2 for n in numbers) / 4
    found = [(n - mean) / sqrt(variance + given["epsilon"]) for n in numbers]
    return {"first": found[0], "second": found[1]}


def relu_unit(given):
    fires = max(0, dot(given["reads"], given["looks_for"]) + given["bias"])
    return {"fires": fires, "first": fires * given["writes"][0]}


def residual_sum(given):
    rows = zip(given["before"], given["attention"], given["feed_forward"])
    return dict(zip(("first", "second", "third"), map(sum, rows)))


def block_parameters(given):
    width, inner = given["width"], given["inner"]
    feed_forward = 2 * width * inner + inner + width
    norms = 2 * (width + width)
    return {"feed_forward": feed_forward,
            "block": norms + 4 * width * (width + 1) + feed_forward}


def mask_families(given):
    read, size = given["read"], given["read"] + given["written"]
    places = range(size)
    both = sum(1 for row in places for column in places
               if column < read or read <= column <= row)
    causal = sum(1 for row in places for column in places if column <= row)
    return {"encoder": size**2, "decoder": causal, "both": both}


def which_family(given):
    raise NotImplementedError("words, not numbers: read by a person")


def above_baseline(given):
    same = [first == last for first, last in given["ends"]]
    right = sum(a == b for a, b in zip(same, given["answers"])) / len(same)
    always = sum(same) / len(same)
    return {"accuracy": right, "baseline": always, "above": right - always}


def odds(given):
    high, low = given["high"], given["low"]
    return {"one": exp(high) / exp(low), "two": exp(high / 2) / exp(low / 2)}


def cached_rows(given):
    anew, read = 0, given["prompt"]
    cached = given["prompt"]
    for step in range(given["more"]):
        anew += read
        read += 1
        cached += 1 if step else 0
    return {"anew": anew, "cached": cached}


def tempered(given):
    return softmax([logit / given["temperature"] for logit in given["logits"]])


def what_top_p_keeps(given):
    total, count = 0, 0
    for share in given["shares"]:
        if total >= given["p"]:
            break
        total += share
        count += 1
    return {"count": count, "first": given["shares"][0] / total}


def drawn_word(given):
    end = 0
    for name, share in zip(given["names"], given["shares"]):
        end += share
        if given["u"] < end:
            return {"word": name, "border": end}
    raise AssertionError("u lies beyond the line")


def targets(given):
    tokens = given["tokens"]
    return {"target": tokens[given["asked"] + 1], "count": len(tokens) - 1}


def story_loss(given):
    losses = [-log(share) for share in given["shares"]]
    return {"surprise": max(losses), "loss": sum(losses) / len(losses)}


def loss_floor(given):
    shares = given["shares"]
    return {"floor": sum(-p * log(p) for p in shares), "even": log(len(shares))}


def gradient(given):
    return [p - (place == given["came"]) for place, p in enumerate(given["shares"])]


def missing_effect(given):
    return {"effect": given["total"] - sum(given["known"])}


def induction(given):
    tokens = given["tokens"]
    earlier = [n for n, token in enumerate(tokens[:-1]) if token == tokens[-1]][-1]
    return {"word": tokens[earlier + 1],
            "position": f"{earlier + 1} {tokens[earlier + 1]}"}


def cut_effect(given):
    after = given["before"] - given["effect"]
    return {"difference": after, "probability": exp(after) / (exp(after) + 1)}


def pair_counts(given):
    text, first, second = given["text"], given["first"], given["second"]
    following = [text[n + 1] for n in range(len(text) - 1) if text[n] == first]
    return {"count": len(following),
            "share": following.count(second) / len(following)}


def copied_stretch(given):
    source, written = given["source"], given["written"]
    best = 0
    for start in range(len(written)):
        for end in range(start + 1, len(written) + 1):
            piece = written[start:end]
            if any(source[n : n + len(piece)] == piece for n in range(len(source))):
                best = max(best, len(piece))
    return {"length": best}
