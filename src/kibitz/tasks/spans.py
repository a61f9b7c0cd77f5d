"""How a file of the user's writes its spans: the scheme by name, or the one that all its labels follow."""

from __future__ import annotations

from kibitz.errors import InputError
from kibitz.spaces.schemes import Fault, Scheme, check, scheme_from
from kibitz.tasks.files import LabelledFile

_TRIED = ("bio", "iob1", "iobes")


def writes_spans(labels: tuple[str, ...]) -> bool:
    """Whether the labels look like those of spans: O, and B, I, E or S alone or before a hyphen."""
    return all(_follows(Scheme("iobes"), label) for label in labels) and any(label != "O" for label in labels)


def scheme_of(file: LabelledFile, named: str | None) -> Scheme:
    """The named scheme, which the file must follow; without a name, the first that it follows."""
    schemes = [scheme_from(name) for name in ([named] if named else _TRIED)]
    for scheme in schemes:
        if all(_follows(scheme, label) for label in file.labels) and _first_fault(file, scheme) is None:
            return scheme
    raise InputError(_complaint(file, schemes[0], named))


def known_labels(file: LabelledFile, scheme: Scheme) -> None:
    """Refuse labels that the scheme cannot read."""
    for label in file.labels:
        if not _follows(scheme, label):
            raise InputError(_unreadable(file, label, scheme))


def _complaint(file: LabelledFile, scheme: Scheme, named: str | None) -> str:
    for label in file.labels:
        if not _follows(scheme, label):
            return _unreadable(file, label, scheme)
    found = _first_fault(file, scheme)
    assert found is not None
    sentence, fault = found
    remedy = (
        "name the scheme it is written in with --scheme" if named else "correct it, or use --loss hamming"
    )
    return f"{file.path}:{file.line(sentence, fault.position)}: {fault.message}: {remedy}."


def _unreadable(file: LabelledFile, label: str, scheme: Scheme) -> str:
    return (
        f"{file.path}:{file.line_of(label)}: the label {label!r} writes no span in the scheme {scheme.name}: "
        "correct it, name another --scheme, or use --loss hamming."
    )


def _first_fault(file: LabelledFile, scheme: Scheme) -> tuple[int, Fault] | None:
    for sentence, (_, gold) in enumerate(file.examples):
        fault = check(gold, scheme)
        if fault is not None:
            return sentence, fault
    return None


def _follows(scheme: Scheme, label: str) -> bool:
    try:
        scheme.parts(label)
    except InputError:
        return False
    return True
