"""A tour of Kibitz in short pieces: each goes on from those before it, and prints what it found.

Run it with `python examples/gallery.py`; the page `docs/gallery.md` shows it with its output.
"""
# ruff: noqa: E402  # a piece brings in what it needs

# %% Sentences to learn from
# Every piece works on one small task: find the noun phrases of generated sentences, with the labels B, I and
# O. The gold labels only play the judge; no learner sees them.
import kibitz
from kibitz.data import generated_chunks
from kibitz.features import Templates

sentences = [([word for word, tag in raw], gold) for raw, gold in generated_chunks(seed=1, count=500)]
train, dev = sentences[:400], sentences[400:]

words, gold = train[1]
print(" ".join(words))
print(" ".join(gold))


# %% From losses
# EL, expected loss: the learner draws a labelling, hears one number from 0 to 1, and steps. `simulate` is
# that loop, compiled.
def new_learner(objective, **options):
    """A first-order chain on three words around each token, in which I never follows O."""
    space = kibitz.Chain("BIO", Templates(["w[-1]", "w[0]", "w[1]"]), forbidden=[("O", "I")], start="O")
    return kibitz.Learner(
        space, kibitz.objective_from(objective, **options), optimizer=kibitz.AdaGrad(rate=0.2), seed=1
    )


def show(run):
    for point in run.curve:
        print(f"{point.feedback:5,} judgements: dev F1 {point.dev:.2f}")


tagger = new_learner("el", baseline="mean")
show(kibitz.simulate(tagger, train, "f1", iterations=5_000, dev=dev, every=1_000))


# %% From preferences
# PR with binary feedback: two labellings are drawn from the model, and the judge says which is the better
# one. One bit, and never how good either of them is. Two equal draws are not shown and not counted.
pairs = new_learner("pr-bin", pair_loss="signed", opponent="self")
show(kibitz.simulate(pairs, train, "f1", iterations=5_000, dev=dev, every=1_000))


# %% With answers of your own
# In a program of yours there is no loop to hand over: ask, show the outputs to somebody, tell what they said.
# The weights change at the tell, not before.
from math import exp

proposal = pairs.ask(["Ada", "saw", "the", "old", "house", "."])
for output, log_prob in zip(proposal.outputs, proposal.log_probs, strict=True):
    print(" ".join(output), f"  drawn with probability {exp(log_prob):.2g}")

version = pairs.updates
pairs.tell(proposal, prefer=0)  # the first is better; or 1, or "tie", or skip=True
print("model version", version, "->", pairs.updates)


# %% With a loss of your own
# Any Python function of (output, gold) that returns a number from 0 to 1. This one cares about the starts of
# phrases only.
def starts(output, gold):
    found = {i for i, label in enumerate(output) if label == "B"}
    wanted = {i for i, label in enumerate(gold) if label == "B"}
    return len(found ^ wanted) / max(1, len(found | wanted))


careful = new_learner("el", baseline="mean")
run = kibitz.simulate(careful, train, starts, iterations=3_000, dev=dev, every=1_000)
for point in run.curve:
    print(f"{point.feedback:5,} judgements: mean loss on dev {point.dev:.2f}")


# %% With a judge who errs
# One answer in five is the wrong way round.
from kibitz.feedback import Flipped, LossDifference

noisy = Flipped(LossDifference(kibitz.ChunkF1()), probability=0.2, generator=kibitz.Generator(7))
misled = new_learner("pr-bin", pair_loss="signed", opponent="self")
show(kibitz.simulate(misled, train, "f1", judge=noisy, iterations=3_000, dev=dev, every=1_000))


# %% With answers that come late
# Every answer comes twenty questions after its own. A tell steps from the weights of its ask, whatever has
# happened in between.
from kibitz.feedback import Delay

loss, patient, late = kibitz.ChunkF1(), new_learner("el", baseline="mean"), Delay(asks=20)
for words, gold in train * 5:
    proposal = patient.ask(words)
    late.put(proposal, loss=loss(proposal.outputs[0], gold))
    for earlier, answer in late.due():
        patient.tell(earlier, **answer)
for earlier, answer in late.rest():
    patient.tell(earlier, **answer)

f1 = loss.corpus([patient.predict(words) for words, _ in dev], [gold for _, gold in dev])
print(f"{patient.judgements:,} judgements, 20 questions late: dev F1 {f1:.2f}")


# %% How sure the model is
# The distribution over all labellings is exact: the best of them, the entropy, the odds at each word.
# "reports" is a noun or a verb.
phrase = ["she", "reports", "every", "price", "."]
for name, learner in (("after losses", tagger), ("after preferences", pairs)):
    model = learner.space.distribution(learner.space.encode(phrase), learner.weights)
    print(f"{name}: {model.entropy():.2f} nats of entropy")
    for output, log_prob in model.top_k(3):
        print("   ", " ".join(output), f"{exp(log_prob):.3f}")


# %% Objectives side by side, exactly
# On a short input every output can be written out, and so can the gradient that an objective's steps have in
# the mean. How long is it, and does it point where that of EL does?
import numpy as np

from kibitz.analysis.exact import exact_gradient

short, gold = min(train, key=lambda sentence: len(sentence[0]))
x, weights = tagger.space.encode(short), 0.2 * tagger.weights  # as it might have been early on
objectives = {
    "EL": kibitz.objective_from("el"),
    "PR(cont), violation": kibitz.objective_from("pr-cont", pair_loss="violation"),
    "PR(cont), shortfall": kibitz.objective_from("pr-cont", pair_loss="shortfall"),
    "PR(bin), signed, self": kibitz.objective_from("pr-bin", pair_loss="signed", opponent="self"),
    "CE, k = 0.01": kibitz.objective_from("ce", clip=0.01),
}
gradients = {
    name: exact_gradient(tagger.space, x, weights, objective, lambda y: loss(y, gold))
    for name, objective in objectives.items()
}
el = gradients["EL"]
for name, gradient in gradients.items():
    cosine = gradient @ el / np.linalg.norm(gradient) / np.linalg.norm(el)
    print(f"{name:22} length {np.linalg.norm(gradient):6.3f}, cosine to EL {cosine:5.2f}")


# %% Save, load, go on
# A saved learner goes on as if nothing had happened, bit for bit.
import tempfile

with tempfile.TemporaryDirectory() as folder:
    tagger.save(folder)
    twin = kibitz.load(folder)

for learner in (tagger, twin):
    proposal = learner.ask(phrase)
    learner.tell(proposal, loss=0.5)
print("the same draw and the same weights:", np.array_equal(tagger.weights, twin.weights))


# %% A space of your own: dependency trees
# A forest packs anything that is put together from parts. Here it holds every projective dependency tree of a
# sentence, by Eisner's algorithm: an open span joins two words, one of which governs the other, and a closed span is a
# word with all that hangs on it to one side. Each word is said as the place of its governor, so what is shown of a
# tree is its list of governors, and the feedback is the share of words that hang on the wrong one. The rest is there
# already: exact draws and gradients, every objective, checkpoints.
class Trees(kibitz.Hypergraph):
    kind = "trees"

    def encode(self, raw):
        return super().encode(self.forest(raw) if isinstance(raw, list) else raw)

    def forest(self, tags):
        builder, n = kibitz.ForestBuilder(), len(tags)
        for i in range(1, n + 1):
            for side in ("left", "right"):
                builder.edge(f"closed {side} {i} {i}")
        for width in range(1, n):
            for i in range(1, n + 1 - width):
                j = i + width
                for k in range(i, j):
                    builder.edge(f"pair {i} {j}", [f"closed right {i} {k}", f"closed left {k + 1} {j}"])
                    builder.edge(f"closed left {i} {j}", [f"closed left {i} {k}", f"open left {k} {j}"])
                    builder.edge(
                        f"closed right {i} {j}", [f"open right {i} {k + 1}", f"closed right {k + 1} {j}"]
                    )
                builder.edge(f"open right {i} {j}", [f"pair {i} {j}"], [0, str(i)], self.arc(tags, i, j))
                builder.edge(f"open left {i} {j}", [f"pair {i} {j}"], [str(j), 0], self.arc(tags, j, i))
        for top in range(1, n + 1):
            halves = [f"closed left 1 {top}", f"closed right {top} {n}"]
            builder.edge("tree", halves, [0, "0", 1], {f"top {tags[top - 1]}": 1.0})
        return builder.build("tree")

    def arc(self, tags, governor, word):
        after = tags[governor] if governor < len(tags) else "end"
        pair = f"{tags[governor - 1]} > {tags[word - 1]}"
        near = max(-4, min(4, word - governor))
        return {pair: 1.0, f"{pair} at {near}": 1.0, f"{pair} before {after}": 1.0, f"at {near}": 1.0}


def governors(tags, labels):
    """The judge's tree: phrases hang on the verb or word that governs them, words of a phrase on its last."""
    verb = tags.index("VBD") + 1
    found = []
    for i, label in enumerate(labels, start=1):
        end = next((j for j in range(i, len(labels)) if labels[j] != "I"), len(labels))
        outside = [j for j in range(verb, i) if labels[j - 1] == "O"]
        found.append(verb if label == "O" else end if end != i else max(outside, default=verb))
    return tuple("0" if i == verb else str(head) for i, head in enumerate(found, start=1))


trees = []
for raw, labels in generated_chunks(seed=2, count=400):
    tags = [tag for _, tag in raw]
    if len(tags) <= 10:
        trees.append((tags, governors(tags, labels)))
parser = kibitz.Learner(
    Trees(), kibitz.objective_from("el", baseline="mean"), optimizer=kibitz.AdaGrad(rate=0.2), seed=1
)
run = kibitz.simulate(parser, trees[30:], "hamming", iterations=1_000, dev=trees[:30], every=250)
for point in run.curve:
    print(f"{point.feedback:5,} judgements: {point.dev:.2f} of the words on dev hang wrong")

tags, gold = trees[0]
print(*tags)
print(*parser.predict(tags))
print(*gold)
