"""What became of the workbook behind a native chart."""

from __future__ import annotations

from enum import StrEnum

from studio.decks.structure.package import Package, PartFault, R


class ChartData(StrEnum):
    """Where a chart's data are; only an embedded workbook is editable data."""

    EMBEDDED = "embedded"
    EXTERNAL = "external"
    BROKEN = "broken"


def chart_data(package: Package, part: str) -> tuple[ChartData, str]:
    """Return where the data of the chart part are, and a reason if they are not in the file.

    Follows the chart's own ``externalData`` element: a relation that the chart does not name is no workbook.
    """
    try:
        root = package.xml(part)
    except PartFault as fault:
        return ChartData.BROKEN, f"a chart cannot be read: {fault}"
    data = next(root.iter("{*}externalData"), None)
    if data is None:
        return ChartData.BROKEN, f"the chart {part} has no workbook; only its cached values are there"
    relation = package.relations(part).get(str(data.get(f"{R}id")))
    if relation is None:
        return ChartData.BROKEN, f"the chart {part} names a workbook that it has no relation to"
    if relation.is_external:
        return ChartData.EXTERNAL, f"the chart {part} is linked to a workbook outside: {relation.target}"
    try:
        head = package.head(relation.target, 8)
    except PartFault as fault:
        return ChartData.BROKEN, f"the workbook of the chart {part} cannot be read: {fault}"
    if not head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return ChartData.BROKEN, f"the workbook of the chart {part} is not an Excel file"
    return ChartData.EMBEDDED, ""
