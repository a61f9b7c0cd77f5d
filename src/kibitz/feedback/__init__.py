"""What a learner hears: losses, judgements of pairs, and simulators of noisy and late answers."""

from kibitz.feedback.chunk_f1 import ChunkF1
from kibitz.feedback.delay import Delay
from kibitz.feedback.given import GivenLoss
from kibitz.feedback.hamming import Hamming
from kibitz.feedback.loss import CompiledLoss, FunctionLoss, ListedLoss, Loss, loss_from
from kibitz.feedback.noise import Additive, Flipped, Granular
from kibitz.feedback.preference import LossDifference, PairFeedback, Preferred, difference, preference
from kibitz.feedback.reported import Reported
from kibitz.feedback.sentence_bleu import SentenceBLEU
from kibitz.feedback.spans import Span, spans
from kibitz.feedback.zero_one import ZeroOne

__all__ = [
    "Additive",
    "ChunkF1",
    "CompiledLoss",
    "Delay",
    "Flipped",
    "FunctionLoss",
    "GivenLoss",
    "Granular",
    "Hamming",
    "ListedLoss",
    "Loss",
    "LossDifference",
    "PairFeedback",
    "Preferred",
    "Reported",
    "SentenceBLEU",
    "Span",
    "ZeroOne",
    "difference",
    "loss_from",
    "preference",
    "spans",
]
