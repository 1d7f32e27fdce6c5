"""A string that torch.device rejects"""

from __future__ import annotations

from collections.abc import Iterator

from devlint.diagnostic import Safety, Severity
from devlint.model.events import Take
from devlint.model.torch.devices import ACCELERATORS, is_valid_device
from devlint.rule import Finding, Rule

# A plugin of PyTorch registers its type when torch is imported: the program need not name the plugin.
PLUGINS = frozenset({"npu", "mlu", "musa", "sdaa"}) & ACCELERATORS


def _check(event: Take) -> Iterator[Finding]:
    site = event.literal.site
    name = str(event.literal.value)
    if site is None or event.where.caught or is_valid_device(name, PLUGINS):
        return
    if b"rename_privateuse1_backend" in event.site.file.source.data:
        return  # the program brings a type of its own
    yield Finding(
        site,
        f'torch.device has no "{name}": this raises',
        ((event.site, f"taken as a device here ({event.how})"),) if event.site.node is not site.node else (),
    )


RULE = Rule(
    code="DEV203",
    name="invalid-device",
    summary="a string that torch.device rejects",
    severity=Severity.ERROR,
    on=(Take,),
    check=_check,
    safeties=frozenset({Safety.SAFE}),
)
