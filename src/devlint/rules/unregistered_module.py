"""Sub-modules are kept in a plain list, tuple or dict"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from devlint.diagnostic import Safety, Severity
from devlint.model.events import End
from devlint.model.value import Obj, Site
from devlint.rule import Draft, Finding, Rule
from devlint.rules._evidence import has_state, held

if TYPE_CHECKING:
    from devlint.fix.context import Context


def _check(event: End) -> Iterator[Finding]:
    owner = event.obj
    if owner.cls is not None and owner.cls.find("_apply") is not None:
        return  # the class moves by its own rules
    for name, value, site in event.stores:
        for leaf in held(value):
            if not isinstance(leaf, Obj) or not leaf.is_module or leaf.serial < owner.serial:
                continue
            if "%owned" in leaf.attrs or not has_state(leaf):
                continue
            yield Finding(
                site,
                f"`{name}` is a plain container: the modules in it are neither moved nor trained",
                ((leaf.site, "a module is made here"),),
                help="use nn.ModuleList or nn.ModuleDict",
                fix=partial(_fix, site, value),
            )
            break


def _fix(site: Site, value: Any, ctx: Context) -> Draft | None:
    edits = ctx.as_container(site, value)
    return None if edits is None else ctx.draft("Register the modules", Safety.UNSAFE, edits)


RULE = Rule(
    code="DEV302",
    name="unregistered-module",
    summary="sub-modules are kept in a plain list, tuple or dict",
    severity=Severity.ERROR,
    on=(End,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
