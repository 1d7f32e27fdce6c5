"""What happens with devices in a program: all that a rule sees.

The machine emits these while it reads; one site may emit several, one for each way in which it was
reached. Rules run afterwards, when the evidence on every value is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from devlint.model.device import Device, Verdict
from devlint.model.value import Const, Obj, Site, Step, Unknown

if TYPE_CHECKING:
    from devlint.model.value import Function
    from devlint.syntax.tree import Expr


@dataclass(frozen=True, slots=True)
class Where:
    """The circumstances of an event.

    `forward`: inside a module's `forward`, or what it calls. `worker`: inside what a loader's workers run.
    `loop`: the depth of loops inside the function. `guarded`: only reached where an accelerator is known
    or declared to be there. `caught`: inside a `try` that survives the failure. `names` are the names in
    scope with their values (innermost first), `self_value` the receiver of the method.
    """

    forward: bool
    worker: bool
    loop: int
    guarded: bool
    caught: bool
    function: Function | None
    self_value: Any
    names: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a site."""

    site: Site
    where: Where


@dataclass(frozen=True, slots=True)
class Create(Event):
    """A factory made a tensor. `device` is what was asked for (None: nothing was)."""

    name: str
    device: Any
    result: Any
    ambient: bool
    random: bool
    generator: bool


@dataclass(frozen=True, slots=True)
class Move(Event):
    """`.to()`, `.cuda()`, `.cpu()`, `.type()` on something.

    `method` is its name; `receiver` what it was called on; `target` the device asked for (a value, or
    None: only a dtype, or not known); `like` the tensor whose device was asked for. `dropped`: the result
    is not used. `cast`: a dtype was asked for (`dtype`, where it is known). `non_blocking` is that argument.
    `after`: the move whose result is cast, if it is nothing but a cast.
    """

    method: str
    receiver: Any
    target: Any
    like: Any
    cast: bool
    dropped: bool
    result: Any
    dtype: Any = None
    non_blocking: Any = None
    after: Move | None = None


@dataclass(frozen=True, slots=True)
class Take(Event):
    """A device string arrived where a device is taken. `literal` is the string with its site.

    `fallback`: in another case the same place takes another device. `how` says what takes it
    ("torch.device", ".to", "device=", "map_location" ...; "compared": torch.device does, to compare it).
    """

    literal: Const
    how: str
    fallback: bool
    index: Any


@dataclass(frozen=True, slots=True)
class Combine(Event):
    """Operands that must agree lie, or may lie, on different devices.

    `op` is the operation; `left` and `right` the two leaves, `left_device` and `right_device` where they
    are, `flags` the circumstances under which they meet. `owner` is the module when one is called.
    """

    op: str
    left: Any
    right: Any
    left_device: Device
    right_device: Device
    verdict: Verdict
    flags: Mapping[Any, bool]
    owner: Obj | None


@dataclass(frozen=True, slots=True)
class Build(Event):
    """A module object was made. `lib` is the library's class ("" for one of the project)."""

    obj: Obj
    lib: str


@dataclass(frozen=True, slots=True)
class Store(Event):
    """A value became an attribute of an object."""

    obj: Obj
    attr: str
    value: Any
    registered: bool


@dataclass(frozen=True, slots=True)
class Saved:
    """What torch.save was given: what it writes and where to. The site is the call's. `same`: a load names
    the same file; else it only asks for what is in it."""

    value: Any
    target: Any
    site: Site
    same: bool = False


@dataclass(frozen=True, slots=True)
class Load(Event):
    """torch.load. `place` is the map_location (None: not given); `open_ended`: it may be in a `**` or
    come from the caller. `source` is what is read; `available`: only where there is an accelerator. `result`
    is what it gives, `saved` what the program is seen to save to such a file."""

    place: Any
    open_ended: bool
    source: Any
    available: bool
    result: Any
    saved: tuple[Saved, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared(Event):
    """`left op right` with a device on at least one side; `op` is libcst's operator name."""

    op: str
    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class HostRead(Event):
    """A tensor arrived where one on an accelerator is refused. `kind`: "numpy" (turned into a host value),
    "argument" (PyTorch wants it on the CPU), "generator" (whose device is not the factory's). `given` is the
    expression that gives it, where that can be told."""

    value: Any
    how: str
    kind: str = "numpy"
    given: Expr | None = None


@dataclass(frozen=True, slots=True)
class Use(Event):
    """A name of a library was used; `called` says whether it was called."""

    name: str
    called: bool


@dataclass(frozen=True, slots=True)
class End(Event):
    """An instance of a module class was read to the end: all its attributes are known."""

    obj: Obj
    stores: tuple[tuple[str, Any, Site], ...]


@dataclass(frozen=True, slots=True)
class LateMove(Event):
    """A module moved after something had taken its parameters: `kind` is "optimizer" or "ddp", `earlier`
    where that was. `fragile`: what took them holds state from the start (Adagrad)."""

    kind: str
    obj: Obj | Unknown
    earlier: Site
    fragile: bool


@dataclass(frozen=True, slots=True)
class StaleDevice(Event):
    """A module placed something by a device that it keeps as a plain attribute, stored at `stored`; `stores`
    are all places that set the attribute."""

    obj: Obj
    attr: str
    stored: Site
    stores: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class RankBlind(Event):
    """In a program of several ranks, a device that does not depend on the local rank. `how`: "same" (each
    rank takes the same; `also` is where the ranks come together, `fallback` whether there may be no card) or
    "global" (the global rank is taken for an index; `also` are the other places that take it)."""

    how: str
    also: tuple[tuple[Site, Where], ...]
    fallback: bool


@dataclass(frozen=True, slots=True)
class CopyMove(Event):
    """`target.copy_(source.to(...))`; `move` is the move."""

    target: Any
    source: Any
    move: Site


@dataclass(frozen=True, slots=True)
class SaveWrapped(Event):
    """The state_dict of a wrapped module (`obj` is the wrapper) was saved; the site made the state_dict.
    `certain`: it is wrapped on every way there."""

    obj: Obj
    saved: Site
    certain: bool


@dataclass(frozen=True, slots=True)
class StripPrefix(Event):
    """`module.` was cut from a key of a checkpoint by hand."""


@dataclass(frozen=True, slots=True)
class LoopMove(Event):
    """The same, unchanged thing was moved on every iteration of a loop."""

    receiver: Any


@dataclass(frozen=True, slots=True)
class Sync(Event):
    """The host waits for the device, on every step of a training loop. `how` is what waits."""

    value: Any
    how: str


@dataclass(frozen=True, slots=True)
class AsyncRead(Event):
    """A tensor that is being copied to the host was read before the copy was waited for; the site is the
    copy's, `read` the reader's."""

    read: Site


@dataclass(frozen=True, slots=True)
class Bind(Event):
    """A name or attribute was bound to a value, or a module was moved in place (`moved`). Emitted only where
    a trace is asked for. `place` is where a module is just now; `caller` the statement that called the
    function."""

    name: str
    value: Any
    place: Any = None
    caller: Site | None = None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Reveal(Event):
    """`reveal(x)`: what the model knows of x. For the tests of the model."""

    text: str


def trail(step: Step | None, limit: int = 3) -> list[tuple[Site, str]]:
    """The newest steps of a trail, oldest first."""
    out: list[tuple[Site, str]] = []
    while step is not None and len(out) < limit:
        out.append((step.site, step.text))
        step = step.prev
    return out[::-1]
