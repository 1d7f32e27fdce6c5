"""The trace for programs."""

from __future__ import annotations

import io
import json

from devlint.report import trace_json
from tests.tracing import traced


def test_whole() -> None:
    stream = io.StringIO()
    trace_json.render(traced(function="Net"), stream)
    assert json.loads(stream.getvalue()) == {
        "filename": "net.py",
        "function": "Net",
        "lines": [
            {
                "row": 9,
                "text": "        self.layer = nn.Linear(3, 3)",
                "binds": [
                    {
                        "name": "self.layer",
                        "kind": "module",
                        "class": "Linear",
                        "device": {"text": "cpu", "lane": "cpu", "family": "cpu"},
                        "before": None,
                        "note": None,
                        "trail": [],
                        "called_from": [],
                        "outer_calls": [],
                    }
                ],
                "meets": [],
            },
            {
                "row": 10,
                "text": "        self.mask = torch.ones(3)",
                "binds": [
                    {
                        "name": "self.mask",
                        "kind": "tensor",
                        "class": None,
                        "device": {"text": "cpu", "lane": "cpu", "family": "cpu"},
                        "before": None,
                        "note": "not registered: it does not move with the module",
                        "trail": [],
                        "called_from": [],
                        "outer_calls": [],
                    }
                ],
                "meets": [],
            },
            {
                "row": 12,
                "text": "    def forward(self, x):",
                "binds": [
                    {
                        "name": "x",
                        "kind": "tensor",
                        "class": None,
                        "device": {"text": "wherever x is", "lane": "with the input", "family": "input"},
                        "before": None,
                        "note": None,
                        "trail": [],
                        "called_from": [],
                        "outer_calls": [],
                    },
                    {
                        "name": "x",
                        "kind": "tensor",
                        "class": None,
                        "device": {
                            "text": "cuda | cpu without an accelerator",
                            "lane": "cuda",
                            "family": "accelerator",
                        },
                        "before": None,
                        "note": None,
                        "trail": [
                            {
                                "filename": "net.py",
                                "row": 22,
                                "text": "moved here, but the result is dropped",
                            },
                            {"filename": "net.py", "row": 23, "text": "moved here"},
                            {"filename": "net.py", "row": 25, "text": "passed to the module here"},
                        ],
                        "called_from": [{"filename": "net.py", "row": 25}],
                        "outer_calls": [],
                    },
                ],
                "meets": [],
            },
            {
                "row": 13,
                "text": "        x = self.layer(x)",
                "binds": [
                    {
                        "name": "x",
                        "kind": "tensor",
                        "class": None,
                        "device": {
                            "text": "wherever this Net is",
                            "lane": "with its module",
                            "family": "module",
                        },
                        "before": None,
                        "note": None,
                        "trail": [{"filename": "net.py", "row": 9, "text": "its module is made here"}],
                        "called_from": [],
                        "outer_calls": [],
                    },
                    {
                        "name": "x",
                        "kind": "tensor",
                        "class": None,
                        "device": {
                            "text": "cuda | cpu without an accelerator",
                            "lane": "cuda",
                            "family": "accelerator",
                        },
                        "before": None,
                        "note": None,
                        "trail": [{"filename": "net.py", "row": 9, "text": "its module is made here"}],
                        "called_from": [{"filename": "net.py", "row": 25}],
                        "outer_calls": [],
                    },
                ],
                "meets": [],
            },
            {
                "row": 14,
                "text": "        return x * self.mask",
                "binds": [],
                "meets": [
                    {
                        "operation": "a * b",
                        "certain": True,
                        "inside": None,
                        "operands": [
                            {
                                "device": {"text": "cuda", "lane": "cuda", "family": "accelerator"},
                                "trail": [
                                    {"filename": "net.py", "row": 9, "text": "its module is made here"}
                                ],
                            },
                            {
                                "device": {"text": "cpu", "lane": "cpu", "family": "cpu"},
                                "trail": [
                                    {"filename": "net.py", "row": 10, "text": "created on the CPU here"},
                                    {
                                        "filename": "net.py",
                                        "row": 10,
                                        "text": "kept as the plain attribute `mask`",
                                    },
                                ],
                            },
                        ],
                    }
                ],
            },
        ],
        "modules": [
            {
                "row": 6,
                "name": "Net",
                "registered": [
                    {
                        "row": 9,
                        "name": "layer",
                        "kind": "module",
                        "class": "Linear",
                        "device": {
                            "text": "wherever this Net is",
                            "lane": "with its module",
                            "family": "module",
                        },
                    }
                ],
                "left_behind": [
                    {
                        "row": 10,
                        "name": "mask",
                        "kind": "tensor",
                        "class": None,
                        "device": {"text": "cpu", "lane": "cpu", "family": "cpu"},
                    }
                ],
            }
        ],
    }
