"""Parameters are kept in a plain list, tuple or dict"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.cond import tips
from devlint.model.events import End
from devlint.model.value import Tensor
from devlint.rule import Finding, Rule
from devlint.rules._evidence import held


def _check(event: End) -> Iterator[Finding]:
    owner = event.obj
    if "*" in owner.registered:
        return
    known = {
        leaf.cause.site.node
        for name in owner.registered
        for leaf in tips(owner.attrs.get(name))
        if type(leaf) is Tensor and leaf.cause is not None
    }
    for name, value, site in event.stores:
        for leaf in held(value):
            if (
                type(leaf) is not Tensor
                or leaf.grad != "param"
                or leaf.cause is None
                or leaf.cause.kind != "param"
            ):
                continue
            if leaf.cause.site.node in known:
                continue
            yield Finding(
                site,
                f"`{name}` is a plain container: the parameters in it are neither moved nor trained",
                ((leaf.cause.site, "a parameter is made here"),),
                help="use nn.ParameterList or nn.ParameterDict",
            )
            break


RULE = Rule(
    code="DEV303",
    name="unregistered-parameter",
    summary="parameters are kept in a plain list, tuple or dict",
    severity=Severity.ERROR,
    on=(End,),
    check=_check,
    safeties=frozenset({Safety.UNSAFE}),
)
