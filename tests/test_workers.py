from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from devlint.workers import Died, Pool


def twice() -> Callable[[int], int]:
    return _twice


def _twice(item: int) -> int:
    if item == 13:
        os._exit(3)
    if item == 14:
        os.kill(os.getpid(), signal.SIGKILL)
    if item == 15:
        time.sleep(60)
    return 2 * item


def where() -> Callable[[int], str]:
    return lambda _: os.getcwd()


def never() -> Callable[[int], int]:
    os._exit(9)


def test_every_item_is_handled_once() -> None:
    chunks = [[1, 2, 3], [4], [5, 6]]
    assert dict(Pool(twice, chunks, 2).results()) == {0: 2, 1: 4, 2: 6, 3: 8, 4: 10, 5: 12}


def test_nothing_to_do() -> None:
    assert list(Pool(twice, [], 2).results()) == []


@pytest.mark.parametrize(("killer", "exitcode"), [(13, 3), (14, -9)])
def test_a_death_costs_one_item(killer: int, exitcode: int) -> None:
    chunks = [[1, killer, 2], [3, killer], [killer, 4]]
    results = dict(Pool(twice, chunks, 2).results())
    died = Died(exitcode)
    assert results == {0: 2, 1: died, 2: 4, 3: 6, 4: died, 5: died, 6: 8}


def test_processes_that_all_die_at_once_end_the_run() -> None:
    results = dict(Pool(never, [[1, 2], [3]], 2).results())
    assert results == {0: Died(9), 1: Died(9), 2: Died(9)}


def test_workers_work_where_the_run_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert dict(Pool(where, [[1]], 1).results()) == {0: str(tmp_path)}


def test_nobody_is_left_when_the_run_is_given_up() -> None:
    results = Pool(twice, [[1], [15], [15]], 3)
    running = results.results()
    next(running)
    processes = [worker.process for worker in results._running.values()]
    assert processes
    running.close()  # type: ignore[attr-defined]
    assert not any(process.is_alive() for process in processes)


def test_a_system_without_a_fork_server_spawns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    assert dict(Pool(twice, [[21]], 1).results()) == {0: 42}
