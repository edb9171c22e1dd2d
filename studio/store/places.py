"""Folders in which a database is at risk, told by file system and by name."""

from __future__ import annotations

import re
from pathlib import Path

import psutil

_NETWORK = ("nfs", "cifs", "smb", "afp", "sshfs", "9p", "davfs", "ceph", "glusterfs", "rclone")
_SYNCED = re.compile(
    r"(?<![a-z0-9])(dropbox|onedrive|google ?drive|icloud ?(drive)?|com~apple~clouddocs|cloudstorage|nextcloud"
    r"|owncloud|syncthing|box sync|pcloud ?(drive)?|megasync)(?![a-z0-9])"
)
"""Names that sync programs give their folders, as whole words: a folder "Box Syncope" is not one of "Box Sync"."""


def risk_of(folder: Path) -> str | None:
    """Return why a project is not safe in this folder, or None.

    A database in a folder that a sync program copies while it changes, or on a file system whose locks do not
    hold between machines, can be damaged without any fault of the studio.
    """
    resolved = folder.resolve()
    for part in resolved.parts:
        if _SYNCED.search(part.lower()):
            return f"{part} looks like a cloud-synced folder; syncing while the studio writes can damage the project."
    file_system = _file_system_of(resolved)
    if file_system and any(name in file_system for name in _NETWORK):
        return f"The folder is on a network file system ({file_system}), whose locks may not hold between machines."
    return None


def _file_system_of(folder: Path) -> str | None:
    try:
        disks = psutil.disk_partitions(all=True)
    except (OSError, psutil.Error):
        # A sandbox may hide the mounts; a notice less is no reason not to open the project.
        return None
    holding = [disk for disk in disks if folder.is_relative_to(disk.mountpoint)]
    nearest = max(holding, key=lambda disk: len(Path(disk.mountpoint).parts), default=None)
    return None if nearest is None else nearest.fstype.lower()
