"""Feedback as a learner takes it: one clear number, or a gold output, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

from kibitz.errors import InputError


class Answer(NamedTuple):
    """``kind`` is loss, pair, gold, tie (of equal outputs) or skip.

    ``value`` is of a pair D, the loss of the first output less that of the second; ``values`` are the losses of rated
    outputs, or of more than one pair D for each.
    """

    kind: str
    value: float = 0.0
    output: Any = None
    values: tuple[float, ...] = ()


def answer_from(
    hears: str, judgements: int, decided: bool, *, loss: float | Sequence[float] | None, prefer: Any,
    by: Any, skip: bool, output: Any,
) -> Answer:  # fmt: skip
    """Check what a tell was given against what the proposal asked for."""
    if (loss is not None) + (prefer is not None) + bool(skip) + (output is not None) > 1:
        kinds = {"loss": loss, "prefer": prefer, "skip": skip or None, "output": output}
        given = [name for name, value in kinds.items() if value is not None]
        raise InputError(f"a tell takes one kind of feedback, not {' and '.join(given)}")
    if by is not None and prefer is None:
        raise InputError("by= says how much better the preferred output is: it goes with prefer=")
    if skip:
        return Answer("skip")
    if output is not None:
        return Answer("gold", output=frozen(output))
    if decided and loss is None:  # equal outputs: neither can be better
        return Answer("tie")
    if hears == "gold":
        raise InputError("this learner learns from gold outputs: tell it output=...")
    if hears == "pair":
        if judgements > 1:
            return Answer("pair", values=_differences(prefer, by, judgements))
        return Answer("pair", _difference(prefer, by))
    if loss is None:
        raise InputError("this learner hears losses: tell it loss=... (a number from 0, perfect, to 1)")
    return Answer("loss", values=_losses(loss, judgements))


def _losses(loss: float | Sequence[float], outputs: int) -> tuple[float, ...]:
    """A loss for each rated output; of one output, the number itself."""
    if outputs == 1:
        return (checked_loss(loss),)
    if not isinstance(loss, Sequence) or isinstance(loss, str) or len(loss) != outputs:
        raise InputError(
            f"{outputs} outputs were proposed: tell loss=[...] with a number for each, not {loss!r}"
        )
    return tuple(checked_loss(one) for one in loss)


def checked_loss(loss: Any) -> float:
    """A loss in [0, 1]."""
    if not _number(loss) or not 0.0 <= loss <= 1.0:
        raise InputError(f"a loss is a number from 0 (perfect) to 1, not {loss!r}")
    return float(loss)


def _differences(prefer: Any, by: Any, pairs: int) -> tuple[float, ...]:
    """A difference for each pair."""
    degrees = [None] * pairs if by is None else by
    for given, name in ((prefer, "prefer"), (degrees, "by")):
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != pairs:
            raise InputError(
                f"{pairs} pairs are compared, first and second, first and third, and so on: tell {name}=[...] with "
                f"one entry for each, not {given!r}"
            )
    return tuple(_difference(one, degree) for one, degree in zip(prefer, degrees, strict=True))


def _difference(prefer: int | str | None, by: float | None) -> float:
    """The loss of the first output less that of the second."""
    if prefer not in (0, 1, "tie") or isinstance(prefer, bool):
        raise InputError(
            f"this learner hears preferences: tell it prefer=0, prefer=1 or prefer='tie', not {prefer!r}"
        )
    if by is not None and not (_number(by) and 0.0 <= by <= 1.0):
        raise InputError(f"a graded preference is by a number from 0 to 1, not {by!r}")
    if prefer == "tie":
        if by:
            raise InputError("a tie has no degree: leave out by=")
        return 0.0
    amount = 1.0 if by is None else float(by)
    return -amount if prefer == 0 else amount


def _number(value: object) -> bool:
    return type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))


def frozen(output: Any) -> Any:
    """Lists as tuples, all the way down: JSON and users say lists where spaces say tuples."""
    return tuple(frozen(part) for part in output) if isinstance(output, (list, tuple)) else output
