"""Puts this folder on the path, so that tests, and the processes that they start, share `worlds`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
