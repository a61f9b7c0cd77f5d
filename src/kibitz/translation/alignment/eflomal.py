"""Word alignments in both directions by eflomal (Östling and Tiedemann 2016), and their symmetrisation."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.errors import InputError, KibitzError
from kibitz.translation.alignment.links import Links, parse_links
from kibitz.translation.alignment.symmetrise import symmetrise

SAMPLERS = 3


def check_installed() -> None:
    """Says so at once when eflomal is missing."""
    _program()


def align(source: Sequence[str], target: Sequence[str], iterations: float = 1.0) -> Links:
    """Symmetrised links of tokenised sentences.

    Eflomal samples with a seed of the system's, so two runs differ a little. ``iterations`` is relative to its own
    number, which falls with the square root of the number of sentences.
    """
    aligner = _program()(model=3, n_samplers=SAMPLERS, rel_iterations=iterations)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, "forward"), Path(folder, "backward")]
        try:
            aligner.align(source, target, links_filename_fwd=str(paths[0]), links_filename_rev=str(paths[1]))
        except subprocess.CalledProcessError as error:
            raise KibitzError(
                f"Eflomal ended with code {error.returncode} and without alignments."
            ) from error
        directions = [
            parse_links(path.read_text(encoding="utf-8").splitlines(), f"eflomal's {path.name} links")
            for path in paths
        ]
    for links in directions:
        if len(links) != len(source):
            raise KibitzError(f"Eflomal aligned {len(links):,} of {len(source):,} pairs.")
    return symmetrise(*directions)


def _program() -> Any:
    try:
        from eflomal import Aligner
    except ImportError as error:
        raise InputError(
            "Alignment needs eflomal, which is not installed: run `pip install 'kibitz[translation]'`, or give "
            "alignments."
        ) from error
    return Aligner
