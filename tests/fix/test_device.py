"""Which device a fix writes."""

from __future__ import annotations

import pytest

from tests.fix.programs import changed, fixed

IDIOM = 'torch.device("cuda" if torch.cuda.is_available() else "cpu")'


@pytest.mark.parametrize(
    "program",
    [
        f"""
        import torch
        device = {IDIOM}
        model = torch.nn.Linear(2, 2).cuda()
        """,
        """
        import torch
        def place(model: torch.nn.Module, device):
            model.cuda()
            return model
        """,
        """
        import torch
        def place(model: torch.nn.Module, device: torch.device):
            model.cuda()
            return model
        """,
        f"""
        import torch
        def main():
            device = {IDIOM}
            def place(model: torch.nn.Module):
                return model.cuda()
        """,
    ],
)
def test_a_device_in_scope_is_used(program: str) -> None:
    (row,) = changed(program)
    assert ".to(device)" in row


def test_an_attribute_called_device_is_used() -> None:
    program = f"""
        import torch
        class Trainer:
            def __init__(self, model):
                self.device = {IDIOM}
                self.model = model.cuda()

            def step(self, batch):
                return self.model(batch.cuda())
        """
    assert changed(program) == [
        "self.model = model.to(self.device)",
        "return self.model(batch.to(self.device))",
    ]


def test_an_attribute_that_is_set_later_is_not_there_yet() -> None:
    program = f"""
        import torch
        class Trainer:
            def __init__(self, model):
                self.model = model.cuda()
                self.device = {IDIOM}
        """
    assert changed(program) == [f"device = {IDIOM}", "self.model = model.to(device)"]


def test_a_name_that_may_not_be_bound_is_not_used() -> None:
    program = f"""
        import torch
        def main(model, verbose):
            if verbose:
                device = {IDIOM}
                print(device)
            return model.cuda()
        """
    assert changed(program) == [f"target_device = {IDIOM}", "return model.to(target_device)"]


def test_of_two_devices_none_is_guessed() -> None:
    program = f"""
        import torch
        student_device = {IDIOM}
        teacher_device = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cpu")
        model = torch.nn.Linear(2, 2).cuda()
        """
    assert changed(program) == []


def test_what_is_made_in_forward_follows_the_input() -> None:
    program = """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x, mask=None):
                if mask is None:
                    mask = torch.ones(2)
                return self.layer(x) * mask

            def start(self):
                return torch.zeros(2, 2).cuda()
        """
    assert changed(program) == [
        "mask = torch.ones(2, device=x.device)",
        "return torch.zeros(2, 2, device=next(self.parameters()).device)",
    ]


def test_a_helper_of_forward_without_a_tensor_asks_the_parameters_once() -> None:
    program = """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = torch.nn.LSTM(2, 2)

            def start(self, n):
                return torch.zeros(1, n, 2), torch.zeros(1, n, 2)

            def forward(self, x):
                return self.cell(x, self.start(x.shape[1]))
        """
    assert changed(program) == [
        "device = next(self.parameters()).device",
        "return torch.zeros(1, n, 2, device=device), torch.zeros(1, n, 2, device=device)",
    ]


def test_findings_of_one_function_share_a_variable_in_it() -> None:
    program = """
        import torch
        def main(model, loader):
            "Docs."
            rate = 0.1
            # to the GPU
            model.cuda()
            for x, y in loader:
                x, y = x.cuda(), y.cuda(non_blocking=True)
        """
    assert changed(program) == [
        f"device = {IDIOM}",
        "model.to(device)",
        "x, y = x.to(device), y.to(device, non_blocking=True)",
    ]
    assert "rate = 0.1\n    device =" in fixed(program)


def test_findings_of_several_functions_share_one_after_the_imports() -> None:
    program = """
        import os
        import torch
        def train(model):
            model.cuda()
        def test(x: torch.Tensor):
            return x.cuda()
        """
    assert fixed(program).startswith(f"\nimport os\nimport torch\n\ndevice = {IDIOM}\n\ndef train(")
    assert len(changed(program)) == 3


def test_a_name_that_functions_use_is_not_shadowed() -> None:
    program = """
        import torch
        def train(model):
            model.cuda()
        def test(x: torch.Tensor):
            return x.cuda()
        def other():
            for device in range(3):
                print(device)
        """
    assert changed(program)[0] == f"DEVICE = {IDIOM}"


def test_the_main_part_of_a_script_has_its_own() -> None:
    program = """
        import torch
        def build(device):
            return torch.nn.Linear(2, 2)
        if __name__ == "__main__":
            model = build(None).cuda()
        """
    assert fixed(program).endswith(f"    device = {IDIOM}\n    model = build(None).to(device)\n")


def test_names_of_torch_and_quotes_are_those_of_the_file() -> None:
    program = """
        import torch as th
        def main(model):
            print('a')
            model.cuda()
        """
    assert changed(program)[0] == "device = th.device('cuda' if th.cuda.is_available() else 'cpu')"


def test_torch_is_imported_where_it_is_not() -> None:
    program = """
        import os
        from torch import nn
        def main():
            return nn.Linear(2, 2).cuda()
        """
    assert changed(program)[:2] == ["import torch", f"device = {IDIOM}"]


def test_the_accelerator_idiom_needs_a_torch_that_has_it() -> None:
    program = """
        import torch
        def main(model):
            model.cuda()
        """
    new = "torch.accelerator.current_accelerator() if torch.accelerator.is_available()"
    line, _ = changed(program, device_idiom="accelerator", target_torch="2.6")
    assert line == f'device = {new} else torch.device("cpu")'
    assert changed(program, device_idiom="accelerator", target_torch="2.5")[0] == f"device = {IDIOM}"


def test_a_card_of_its_own_is_left_alone() -> None:
    program = """
        import torch
        def main(model, other, rank: int):
            model.cuda(1)
            other.cuda(rank)
        """
    assert changed(program) == []


def test_crlf_stays() -> None:
    program = "import torch\r\ndef main(model):\r\n    model.cuda()\r\n"
    assert fixed(program) == (
        f"import torch\r\ndef main(model):\r\n    device = {IDIOM}\r\n    model.to(device)\r\n"
    )


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("def steps(n):", "def steps(n, device=None):"),
        ("def steps(n, *, scale=1.0):", "def steps(n, *, scale=1.0, device=None):"),
        ("def steps(n: int):", 'def steps(n: int, device: "torch.device | None" = None):'),
    ],
)
def test_a_helper_that_knows_no_tensor_is_told_by_its_caller(head: str, told: str) -> None:
    program = f"""
        import torch
        {head}
            return torch.arange(n) - torch.zeros(n)
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def forward(self, x):
                return self.layer(x) + steps(2)
        """
    assert changed(program) == [
        told,
        "return torch.arange(n, device=device) - torch.zeros(n, device=device)",
        "return self.layer(x) + steps(2, device=x.device)",
    ]
    assert changed(program, unsafe=False) == []


def test_what_is_known_at_the_call_is_passed() -> None:
    program = """
        import torch
        def make_mask(n, m):
            return torch.zeros(n, m)
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def forward(self, q: torch.Tensor, k: torch.Tensor, mask=None):
                if mask is None:
                    mask = make_mask(q.size(0), k.size(0))
                scores = self.layer(q) @ k.T
                return scores + mask
        """
    assert changed(program) == [
        "def make_mask(n, m, device=None):",
        "return torch.zeros(n, m, device=device)",
        "mask = make_mask(q.size(0), k.size(0), device=q.device)",
    ]


def test_a_helper_that_has_a_namesake_is_left_alone() -> None:
    program = """
        import torch
        class Base(torch.nn.Module):
            def steps(n):
                return n
        class Net(Base):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            @staticmethod
            def steps(n):
                return torch.arange(n)
            def forward(self, x):
                return self.layer(x) + self.steps(2)
        """
    assert changed(program) == []


def test_a_function_asks_the_model_that_it_is_given() -> None:
    program = """
        import torch
        def evaluate(model, loader):
            model.eval()
            right = 0
            for x, y in loader:
                x, y = x.cuda(), y.cuda()
                right += (model(x).argmax(dim=1) == y).sum().item()
            return right

        def first(model, x: torch.Tensor):
            model.eval()
            return model(x.cuda())

        def move(model, x: torch.Tensor):
            model.train()
            model.cuda()
            return model(x.cuda())
        """
    assert changed(program) == [
        "device = next(model.parameters()).device",
        "x, y = x.to(device), y.to(device)",
        "return model(x.to(next(model.parameters()).device))",
        f"device = {IDIOM}",
        "model.to(device)",
        "return model(x.to(device))",
    ]


def test_a_lightning_module_knows_its_device() -> None:
    program = """
        import torch
        import lightning.pytorch as pl
        class Lit(pl.LightningModule):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def training_step(self, batch, number):
                x, y = batch
                return self.layer(x) + torch.randn(2).cuda() + self.mask()
            def mask(self):
                return torch.ones(2)
        """
    assert changed(program) == [
        "return self.layer(x) + torch.randn(2, device=self.device) + self.mask()",
        "return torch.ones(2, device=self.device)",
    ]


def test_a_batch_that_is_taken_apart_is_no_tensor() -> None:
    program = """
        import torch
        import lightning.pytorch as pl
        class Lit(pl.LightningModule):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def training_step(self, batch, number):
                x, _ = batch
                noise = torch.randn(2)
                return self.layer(x + noise)
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def forward(self, pair):
                x, _ = pair
                noise = torch.zeros(2)
                return self.layer(x) + noise
        """
    assert changed(program) == [
        "noise = torch.randn(2, device=self.device)",
        "noise = torch.zeros(2, device=x.device)",
    ]


def test_what_may_be_none_is_not_asked_for_its_device() -> None:
    program = """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def offsets(self, index: torch.Tensor | None) -> torch.Tensor:
                if index is None:
                    return torch.zeros(2)
                return index + 1
            def more(self, index: torch.Tensor | None) -> torch.Tensor:
                if index is not None:
                    return index + torch.ones(2)
                return torch.ones(2)
            def forward(self, x, index: torch.Tensor):
                return self.layer(x) + self.offsets(index) + self.more(index)
        """
    rows = changed(program)
    assert "return index + torch.ones(2, device=index.device)" in rows
    assert "return torch.zeros(2, device=index.device)" not in rows


def test_what_holds_tensors_is_not_asked_for_its_device() -> None:
    program = """
        import torch
        from typing import List, Tuple
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
            def forward(self, pair: Tuple[List[str], torch.Tensor]):
                noise = torch.zeros(2)
                return self.layer(pair[1]) + noise
        """
    assert changed(program) == ["noise = torch.zeros(2, device=next(self.parameters()).device)"]
