"""Writing files, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil


class Changed(OSError):
    """Someone else has changed the file meanwhile."""


def replace_file(path: str | os.PathLike[str], data: bytes, *, before: bytes | None = None) -> None:
    """Puts a new content in the place of a file, which keeps its mode; through a symbolic link, of what it
    means. Of a hard link, the other names keep the old content.

    Nobody ever sees half of it. With `before`, only if the file still holds that.

    Raises:
        Changed: it holds something else.
        OSError: it cannot be written; then it is as it was, and nothing is left beside it.
    """
    target = os.path.realpath(path)
    exists = os.path.exists(target)
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", os.fspath(path))
    folder, name = os.path.split(target)
    aside = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        with open(aside, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())  # a rename may reach the disk before what was written
        if exists:
            shutil.copymode(target, aside)
        if before is not None and _read(target) != before:
            raise Changed(f"{os.fspath(path)} has changed meanwhile")
        os.replace(aside, target)
    except FileExistsError:
        raise
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()
