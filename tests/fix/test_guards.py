"""Flags that decide about moves are honoured, and guards that become pointless go."""

from __future__ import annotations

from tests.fix.programs import changed, fixed

IDIOM = 'torch.device("cuda" if torch.cuda.is_available() else "cpu")'


def test_a_guard_goes_with_its_moves() -> None:
    program = """
        import torch
        def fit(net, loader):
            if torch.cuda.is_available():  # if there is one
                net.cuda()
            for x in loader:
                net(x.cuda())
        """
    assert changed(program) == [
        f"device = {IDIOM}",
        "# if there is one",
        "net.to(device)",
        "net(x.to(device))",
    ]


def test_a_flag_decides_for_the_variable_too() -> None:
    program = """
        import argparse
        import torch
        parser = argparse.ArgumentParser()
        parser.add_argument("--no-cuda", action="store_true")
        args = parser.parse_args()
        args.cuda = not args.no_cuda and torch.cuda.is_available()
        model = torch.nn.Linear(2, 2)
        if args.cuda:
            model.cuda()
        def step(x, y):
            return model(x.cuda()), y.cuda() if args.cuda else y
        def other(x):
            return model(x.cuda())
        """
    assert changed(program) == [
        'device = torch.device("cuda" if args.cuda else "cpu")',
        "model.to(device)",
        "return model(x.to(device)), y.to(device)",
        "return model(x.to(device))",
    ]
    assert "is_available()\ndevice =" in fixed(program)


def test_a_flag_that_guards_nothing_yet_decides_as_well() -> None:
    program = """
        import torch
        use_cuda = torch.cuda.is_available()
        def one(x: torch.Tensor):
            return x.cuda()
        def two(x: torch.Tensor):
            return x.cuda()
        """
    assert changed(program)[0] == 'device = torch.device("cuda" if use_cuda else "cpu")'


def test_a_guard_of_more_than_moves_stays() -> None:
    program = """
        import torch
        def fit(net, x):
            if torch.cuda.is_available():
                net.cuda()
                torch.backends.cudnn.benchmark = True
            return net(x.cuda())
        """
    assert changed(program) == [f"device = {IDIOM}", "return net(x.to(device))"]


def test_a_flag_that_cannot_be_read_where_the_variable_goes_prevents_it() -> None:
    program = """
        import torch
        def train(net, x, use_cuda):
            if use_cuda:
                net.cuda()
        def test(net, x):
            return net(x.cuda())
        def apply(net, x):
            return net(x.cuda())
        """
    assert changed(program) == []
