"""The parts of the comparison with other tools that count: a wrong one would praise devlint."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.compare import (
    EXAMPLES,
    FAULTY,
    RIGHT,
    Hit,
    Measured,
    Tool,
    chosen,
    codes,
    count_table,
    hotpath,
    lay_out,
    marked_rows,
    program_table,
    ruff_like,
    torchfix,
)
from tests.blocks import read_cases

TEXT = """\
```python
# bad
import torch
x.to("cuda"); y.to("cuda")  # expect: DEV101, DEV101
```

```python
# fixed
import torch
x = x.to("cuda")
```

# Others

```python
# good
import torch
```

```python
# bad
import torch  # noqa: DEV101  # expect: DEV002
```
"""
CODES = {code: code for code in ("DEV002", "DEV101")}


def test_reading_what_the_tools_print() -> None:
    shown = (
        "./a/b.py:3:9: TOR102 [*] `torch.load` is unsafe.\n--- a/b.py\n+++ a/b.py\n@@ -1,2 +1,2 @@\n-x: 1\n"
    )
    assert list(torchfix(shown)) == [Hit("./a/b.py", 3, "TOR102")]
    found = [
        {"filename": "a.py", "location": {"row": 3, "column": 1}, "code": code} for code in ("F401", None)
    ]
    assert list(ruff_like(json.dumps(found))) == [Hit("a.py", 3, "F401"), Hit("a.py", 3, "")]
    findings = [
        {"rule_id": "KP004", "line": 3, "confidence": "medium"},
        {"rule_id": "KP009", "line": 4, "confidence": "heuristic"},
    ]
    text = json.dumps({"files": [{"path": "a.py", "findings": findings}]})
    assert list(hotpath(text)) == [Hit("a.py", 3, "KP004")]
    assert list(hotpath(text, unsure=True)) == [Hit("a.py", 3, "KP004"), Hit("a.py", 4, "KP009")]


def test_the_programs_are_those_without_devlints_own_comments(tmp_path: Path) -> None:
    faulty, right = chosen(read_cases(TEXT, "a.md", CODES))
    assert (len(faulty), len(right)) == (1, 2)
    lay_out(tmp_path, (case.files for case in faulty))
    ((path, row),) = marked_rows(faulty)
    assert (tmp_path / path).read_text().splitlines()[row - 1] == 'x.to("cuda"); y.to("cuda")'


def test_a_faulty_line_counts_once() -> None:
    compared = [Tool("devlint", "default", (), ruff_like), Tool("torchfix", "all", (), torchfix)]
    marks = {("a.py", 1), ("a.py", 2)}
    own = [Hit("a.py", 1, "DEV101"), Hit("a.py", 1, "DEV201"), Hit("a.py", 2, "DEV101")]
    theirs = [Hit("a.py", 2, "TOR102"), Hit("a.py", 3, "TOR102")]
    results = {
        FAULTY: [Measured(own, 1.0), Measured(theirs, 3.0)],
        RIGHT: [Measured([], 1.0), Measured([Hit("a.py", 1, "TOR401")], 2.0)],
    }
    assert list(program_table(compared, results, marks))[2:] == [
        "| devlint | default | 2 | 0 | 0 | 1.00 |",
        "| torchfix | all | 1 | 1 | 1 | 2.50 |",
    ]
    (line,) = codes(compared, results, marks, most=1)
    assert line == "- torchfix, all: TOR102 1; elsewhere TOR102 1, and 1 more rules"
    counted = {EXAMPLES: results[FAULTY]}
    assert list(count_table(compared, counted))[2:] == [
        "| devlint | default | 3 | 1.00 |",
        "| torchfix | all | 2 | 3.00 |",
    ]
