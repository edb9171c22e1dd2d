"""How much of a file the studio reads before it refuses, each limit with a message that names it."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind

_MB = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds on one file; a crafted file reaches a limit instead of filling memory or disk."""

    max_file_bytes: int = 1024 * _MB
    """Size of a file or of a folder's files together."""
    max_unpacked_bytes: int = 2048 * _MB
    """Sum of the declared sizes of all members of a zip."""
    max_part_bytes: int = 256 * _MB
    """One member of a zip when it is read."""
    max_xml_bytes: int = 64 * _MB
    """One XML part when it is parsed."""
    max_html_bytes: int = 64 * _MB
    """One HTML page."""
    max_ratio: float = 200.0
    """Unpacked to packed size of a member of more than 10 MB; Office files stay far below 100."""
    max_parts: int = 20_000
    """Members of a zip or files of a folder."""
    max_pages: int = 2000
    """Slides, pages or pictures of one deck."""
    max_pixels: int = 60_000_000
    """Width times height of one rendered page, and of one picture of an image deck."""
    max_seconds: float = 900.0
    """The longest that one conversion may take, however large the deck."""
    worker_memory_bytes: int = 3072 * _MB
    """Address space of one worker process."""

    def check_file_bytes(self, size_bytes: int, name: str) -> None:
        """Raise if a file or folder is larger than the studio reads."""
        if size_bytes > self.max_file_bytes:
            raise self._over(
                f"{name} has {size_bytes / _MB:,.0f} MB; the limit for a file is {self.max_file_bytes // _MB:,} MB."
            )

    def check_parts(self, n_parts: int, name: str) -> None:
        """Raise if an archive or folder has more members than the studio reads."""
        if n_parts > self.max_parts:
            raise self._over(f"{name} holds {n_parts:,} files; the limit is {self.max_parts:,} files.")

    def check_unpacked(self, unpacked_bytes: int, name: str) -> None:
        """Raise if an archive would unpack to more than the studio reads."""
        if unpacked_bytes > self.max_unpacked_bytes:
            raise self._over(
                f"{name} unpacks to {unpacked_bytes / _MB:,.0f} MB; "
                f"the limit for unpacked contents is {self.max_unpacked_bytes // _MB:,} MB."
            )

    def check_member(self, packed_bytes: int, unpacked_bytes: int, member: str, name: str) -> None:
        """Raise if one member is a bomb: large, and hundreds of times larger than its packed form."""
        if unpacked_bytes > 10 * _MB and unpacked_bytes > self.max_ratio * max(packed_bytes, 1):
            raise self._over(
                f"{name}: {member} unpacks to more than {self.max_ratio:g} times its packed size, "
                "the limit for compression."
            )

    def check_html_bytes(self, size_bytes: int, name: str) -> None:
        """Raise if an HTML page is larger than the studio reads."""
        if size_bytes > self.max_html_bytes:
            raise self._over(
                f"{name} has {size_bytes / _MB:,.0f} MB; the limit for a page is {self.max_html_bytes // _MB:,} MB."
            )

    def check_pages(self, n_pages: int, name: str) -> None:
        """Raise if a deck has more pages than the studio handles."""
        if n_pages > self.max_pages:
            raise self._over(f"{name} has {n_pages:,} pages; the limit is {self.max_pages:,} pages.")

    def check_pixels(self, width_px: int, height_px: int, name: str) -> None:
        """Raise if a picture has more pixels than the studio decodes."""
        if width_px * height_px > self.max_pixels:
            raise self._over(f"{name} is {width_px:,} × {height_px:,} pixels; the limit is {self.max_pixels:,} pixels.")

    @staticmethod
    def _over(message: str) -> DeckUnreadable:
        return DeckUnreadable(FailureKind.TOO_LARGE, message, next_step="Split the file or make it smaller.")


def safe_xml_parser(*, recover: bool = False) -> etree.XMLParser:
    """Return a parser that expands no entity, loads no DTD and reaches no network.

    `recover` lets it read on after an error, for parts that are slightly wrong.
    """
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
