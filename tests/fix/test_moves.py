"""Moves that are dropped, and tensors that are created in the wrong place."""

from __future__ import annotations

import pytest

from tests.fix.programs import changed, rewritten


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (["x.to(device)", "return x"], "x = x.to(device)"),
        (["(x.to(device))", "return x"], "x = (x.to(device))"),
        (["b = {'x': x}", "b['x'].to(device)", "return b"], "b['x'] = b['x'].to(device)"),
        (["b = [x]", "b[0].to(device)", "return b"], "b[0] = b[0].to(device)"),
        # A tuple keeps its items, and nobody reads the others again.
        (["b = (x, 1)", "b[0].to(device)", "return b"], None),
        (["x.to(device)"], None),
        (["for y in [x]:", "    y.to(device)"], None),
    ],
)
def test_a_dropped_move_is_assigned_where_it_is_kept(statements: list[str], expected: str | None) -> None:
    body = "\n".join(f"    {line}" for line in statements)
    program = f"import torch\ndef f(x: torch.Tensor, device):\n{body}\n"
    assert changed(program, unsafe=False) == ([] if expected is None else [expected])


def test_a_global_is_not_made_local() -> None:
    program = """
        import torch
        x = torch.zeros(2)
        def f(device: torch.device):
            x.to(device)
            return x
        """
    assert changed(program) == []


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("torch.zeros(2).to(device)", "torch.zeros(2, device=device)"),
        ("torch.zeros(2).to(device, non_blocking=True)", "torch.zeros(2, device=device)"),
        ("torch.zeros(2).unsqueeze(0).to(device)", "torch.zeros(2, device=device).unsqueeze(0)"),
        ("torch.zeros(2).to(device, torch.half)", "torch.zeros(2, device=device, dtype=torch.half)"),
        ("torch.zeros(2).to(device, dtype=torch.half)", "torch.zeros(2, device=device, dtype=torch.half)"),
        (
            "torch.full((2,), 2).to(device, torch.bool)",
            "torch.full((2,), 2, device=device).to(torch.bool)",
        ),
        (
            "torch.zeros(2, dtype=torch.long).to(device, torch.half)",
            "torch.zeros(2, dtype=torch.long, device=device).to(torch.half)",
        ),
    ],
)
def test_a_tensor_is_created_where_it_goes(expression: str, expected: str) -> None:
    program = f"""
        import torch
        def f(device: torch.device):
            return {expression}
        """
    assert changed(program, unsafe=False) == [f"return {expected}"]


@pytest.mark.parametrize("factory", ["torch.rand(2)", "torch.randperm(3)", "torch.empty(2).uniform_()"])
def test_other_random_numbers_need_a_second_look(factory: str) -> None:
    program = f"import torch\ndef f(device: torch.device):\n    return {factory}.to(device)\n"
    assert not rewritten(program, unsafe=False).fixed


@pytest.mark.parametrize(
    "expression",
    [
        "torch.rand(2, generator=g).to(device)",
        "torch.zeros(2, pin_memory=True).to(device)",
        "torch.zeros(2, **options).to(device)",
        "torch.zeros(2).to(device, memory_format=torch.channels_last)",
        "torch.zeros(2).to(g)",
    ],
)
def test_a_factory_that_is_bound_to_the_cpu_stays(expression: str) -> None:
    program = f"import torch\ndef f(device: torch.device, g, options):\n    return {expression}\n"
    assert changed(program) == []


def test_a_factory_that_was_handed_over_may_be_any_function() -> None:
    program = """
        import torch
        def f(device: torch.device, make=torch.zeros):
            return make(2).to(device)
        """
    assert changed(program) == []


def test_a_guarded_move_names_its_device() -> None:
    program = """
        import torch
        def f():
            if torch.cuda.is_available():
                x = torch.zeros(2).cuda()
                y = torch.zeros(2).cuda(1)
                return x, y
        """
    assert changed(program, unsafe=False) == [
        'x = torch.zeros(2, device="cuda")',
        'y = torch.zeros(2, device="cuda:1")',
    ]


def test_comments_stay() -> None:
    program = """
        import torch
        def f(device: torch.device):
            return (
                torch.zeros(  # zeros
                    2,  # two
                )
                # there
                .to(device)
            )
        """
    assert changed(program, unsafe=False) == ["device=device,"]


def test_a_comment_in_the_way_prevents_a_fix() -> None:
    program = """
        import torch
        def f(device: torch.device):
            return torch.zeros(2).to(
                device,  # there
            )
        """
    result = rewritten(
        "import torch\ndef f(device: torch.device):\n    return torch.zeros(2).to(\n        device,  # there\n    )\n"
    )
    assert changed(program) == []
    assert result.dropped == ("-:3: the fix of DEV104 is left out: a comment would be lost: # there",)


def test_a_move_by_a_fixed_name_ends_as_a_creation_beside_others() -> None:
    program = """
        import torch
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        a = torch.zeros(3).to(device)
        b = torch.zeros(3).cuda()
        """
    assert changed(program) == ["a = torch.zeros(3, device=device)", "b = torch.zeros(3, device=device)"]
