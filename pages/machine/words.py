"""What the machine shows, in words that follow from its numbers."""

import numpy as np

from llm.studies.machine import heads_on_path, needed_link
from pages.ui.measures import SHORT, least_cut
from pages.ui.words import parts_of_lead, percent, plain, signed

LOOKS, BRINGS, LOSES = "looks at", "brings to the answer", "loses when cut"
MEASURES = (LOOKS, BRINGS, LOSES)
LEAST_SHARE = 0.04  # of the largest amount; smaller ones have no line


def positions(tokens):
    """Names that stay apart when a word repeats, counted from 0: `0 <start>`."""
    return [f"{position} {token}" for position, token in enumerate(tokens)]


def row_name(row):
    """The name of a row of crossings, as `block 2: attention`."""
    if row == 0:
        return "embedding + position"
    part = "attention" if row % 2 else "feed-forward"
    return f"block {(row + 1) // 2}: {part}"


def head_name(layer, head):
    """`head 2.3` is the third head of the second block."""
    return f"head {layer + 1}.{head + 1}"


def step_captions(machine, vocabulary, bar, draw):
    """One sentence for each step of the player, from the words to the draw.

    Args:
        machine: a `Machine`.
        vocabulary: all words.
        bar: the first bar, with its word and figures.
        draw: what is drawn, from `draw_shown`.
    """
    tokens = positions(machine.trace.tokens)
    captions = [
        "Every word is a token with a number of its own. The first, "
        "<start>, marks where the text begins.",
        "Each number becomes a row of the embedding table. Its position is added.",
    ]
    heads = {layer: (head, query, key) for layer, head, query, key in
             heads_on_path(machine)}
    for layer in range(len(machine.trace.blocks)):
        captions.append(attention_caption(layer, heads.get(layer), machine, tokens))
        said = vocabulary[machine.said[2 * layer + 2, -1]]
        sure = percent(machine.sure[2 * layer + 2, -1])
        captions.append(
            f"Block {layer + 1}, feed-forward: each word by itself. If the network "
            f"ended here, it would say '{said}', {sure}."
        )
    exact = f" {bar['exact'].capitalize()}." if bar["exact"] else ""
    captions.append(
        "The last vector gives every word a logit, and softmax turns "
        f"them into probabilities: '{bar['word']}' {bar['figure']}.{exact}"
    )
    return [*captions, draw["told"] + " It is written down, and all begins again."]


def attention_caption(layer, step, machine, tokens):
    """What the attention of one block does on the path of the answer."""
    begin = f"Block {layer + 1}, attention: words take over from earlier words. "
    if step is None:
        stays = tokens[machine.path.tokens[layer + 1]]
        return begin + f"The path of the answer stays at {stays}."
    head, query, key = step
    weight = machine.trace.blocks[layer].attention_weights[head, query, key]
    return begin + (
        f"The path goes from {tokens[key]} to {tokens[query]}, most by "
        f"{head_name(layer, head)}, which looks there with {percent(weight)}."
    )


def crossing_told(machine, vocabulary, row, position):
    """One crossing: which word would come next if the network ended there."""
    said, sure = machine.said[row, position], machine.sure[row, position]
    name = row_name(row)
    token = machine.trace.tokens[position]
    return (
        f"{name[0].upper()}{name[1:]}, at {position} {token}: if the network "
        f"ended here, it would say '{vocabulary[said]}', {percent(sure)}."
    )


def word_told(machine, position):
    """One word, and what it gives to the lead of the answer."""
    gives = machine.flow.words[position]
    return (
        f"Position {position}, {machine.trace.tokens[position]}: gives "
        f"{signed(gives)} to the lead of {machine.flow.total:.2f}."
    )


def link_told(machine, lost, layer, head, query, key):
    """One link by all measures that are known."""
    tokens = positions(machine.trace.tokens)
    weight = machine.trace.blocks[layer].attention_weights[head, query, key]
    told = (
        f"{head_name(layer, head).capitalize()}: {tokens[query]} looks at "
        f"{tokens[key]} with {percent(weight)}, which brings "
        f"{signed(machine.flow.links[layer, head, query, key])} to the lead"
    )
    if lost is not None and np.isfinite(lost[layer, head, query, key]):
        told += f"; without it {signed(lost[layer, head, query, key])} is lost"
    return told + "."


def lead_told(machine, vocabulary):
    """What the picture explains: the lead of the answer, and the path's part of it."""
    answer, rival = vocabulary[machine.answer], vocabulary[machine.rival]
    tokens = machine.trace.tokens
    way = [tokens[position] for position in dict.fromkeys(machine.path.tokens)]
    return (
        f"{plain(answer)} leads {plain(rival)}, the next likeliest, by "
        f"**{machine.flow.total:.2f}** logits. The strongest path, "
        f"{' → '.join(plain(word) for word in way)}, brings "
        f"{path_and_rest(machine.path.amount, machine.flow)}"
    )


def path_and_rest(amount, flow):
    """What the path brings to the lead, all other ways, and the biases: they add up.

    Args:
        amount: what the path brings.
        flow: the `Flow` of the lead.
    """
    _, others, fixed = parts_of_lead(flow, amount)
    return (
        f"**{signed(amount)}**. All other paths bring {signed(others)}, and biases, "
        f"which come from no word, {signed(fixed)}."
    )


def next_to_nothing(machine):
    """The share of all attention on links that bring too little to get a line."""
    weights = np.stack([found.attention_weights for found in machine.trace.blocks])
    brings = abs(machine.flow.links)
    return float(weights[brings < LEAST_SHARE * brings.max()].sum() / weights.sum())


def lines_told(machine, lost, measure):
    """What the lines show now, and why attention alone explains nothing."""
    if measure == LOOKS:
        return (
            "Lines show **attention**: how much each head looks from a word back to "
            "another. **Attention is not explanation**: what a head looks at does not "
            "yet explain the answer. Choose another measure above, and other lines "
            "become thick."
        )
    if measure == BRINGS:
        return (
            "Lines show **contributions**: what each head hands over for the answer, "
            "weight × value, with all else held as it is. **Attention is not "
            f"explanation**: {percent(next_to_nothing(machine))} of it here brings "
            "next to nothing."
        )
    if lost is None or not np.isfinite(lost).any():
        return "No link can be cut here: `<start>` sees nothing but itself."
    link = needed_link(lost, machine.flow.links)
    layer, head, query, key = link
    tokens = positions(machine.trace.tokens)
    num_words = len(tokens) - 1  # beside `<start>`
    least = percent(least_cut(num_words))
    told = f"Only links with {least} of the attention or more are cut"
    why = f": a text of more than {SHORT} words has many"
    told += (why if num_words > SHORT else "") + "."
    return (
        "Lines show what is **lost** when a link is cut and the network runs again. "
        f"One link is needed most beyond what it brings: in {head_name(layer, head)} "
        f"{plain(tokens[query])} looks at {plain(tokens[key])}. That brings "
        f"{signed(machine.flow.links[link])}, and without it the lead falls by "
        f"{signed(lost[link]).removeprefix('+')}. "
        f"**Attention is not explanation.** {told}"
    )


def machine_alt(machine, vocabulary, bars):
    """The whole picture in words."""
    tokens = machine.trace.tokens
    names = positions(tokens)
    way = ", then ".join(names[stop] for stop in dict.fromkeys(machine.path.tokens))
    listed = ", ".join(
        f"{bar['word']} {bar['figure']}" + f" ({bar['exact']})" * bool(bar["exact"])
        for bar in bars
    )
    return (
        f"The tiny LLM at work on {len(tokens)} tokens: {' '.join(tokens)}. Next it "
        f"says {listed}. The strongest path of the answer {vocabulary[machine.answer]} "
        f"goes by {way}. Arrow keys move from crossing to crossing; Enter opens one."
    )
