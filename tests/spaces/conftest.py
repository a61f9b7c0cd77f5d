"""Puts this folder, and that of the small worlds to learn in, on the path."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "learning")]
