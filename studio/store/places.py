"""Folders in which a database is at risk, told by file system and by name."""

from __future__ import annotations

from pathlib import Path

import psutil

_NETWORK = ("nfs", "cifs", "smb", "afp", "sshfs", "9p", "davfs", "ceph", "glusterfs")
_SYNCED = (
    "dropbox",
    "onedrive",
    "google drive",
    "googledrive",
    "icloud",
    "nextcloud",
    "owncloud",
    "syncthing",
    "box sync",
)


def risk_of(folder: Path) -> str | None:
    """Return why a project is not safe in this folder, or None.

    A database in a folder that a sync program copies while it changes, or on a file system whose locks do not
    hold between machines, can be damaged without any fault of the studio.
    """
    resolved = folder.resolve()
    for part in resolved.parts:
        if any(name in part.lower() for name in _SYNCED):
            return f"{part} looks like a cloud-synced folder; syncing while the studio writes can damage the project."
    file_system = _file_system_of(resolved)
    if file_system and any(name in file_system for name in _NETWORK):
        return f"The folder is on a network file system ({file_system}), whose locks may not hold between machines."
    return None


def _file_system_of(folder: Path) -> str | None:
    best = ""
    kind: str | None = None
    for disk in psutil.disk_partitions(all=True):
        mount = disk.mountpoint
        if str(folder).startswith(mount) and len(mount) > len(best):
            best, kind = mount, disk.fstype.lower()
    return kind
