"""Parts of a PPTX that python-pptx has no calls for: theme, grounds, transitions, animations."""

from __future__ import annotations

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.text.text import _Run

from podium_demo.fonts import CHINESE

_NS = nsdecls("a", "p", "r")


def set_chinese(run: _Run) -> None:
    """Name the Chinese font of a run; call before the run gets a colour."""
    properties = run._r.get_or_add_rPr()
    properties.append(properties.makeelement(qn("a:ea"), {"typeface": CHINESE}))


def set_theme(presentation: Presentation, colours: dict[str, str], *, heading: str, body: str) -> None:
    """Put colours (by ``dk1``, ``lt1``, ``dk2``, ``lt2``, ``accent1`` …) and fonts into the theme."""
    part = presentation.slide_master.part.part_related_by(RT.THEME)
    theme = etree.fromstring(part.blob)
    scheme = theme.find(".//" + qn("a:clrScheme"))
    for name, value in colours.items():
        slot = scheme.find(qn(f"a:{name}"))
        for old in list(slot):
            slot.remove(old)
        etree.SubElement(slot, qn("a:srgbClr"), {"val": value})
    for kind, family in (("majorFont", heading), ("minorFont", body)):
        font = theme.find(f".//{qn('a:' + kind)}")
        font.find(qn("a:latin")).set("typeface", family)
        font.find(qn("a:ea")).set("typeface", CHINESE)
    part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)


def rectangle_xml(
    number: int, name: str, box: tuple[int, int, int, int], colour: str, geometry: str = "rect"
) -> object:
    """Return a filled shape (left, top, width, height in EMU; a theme colour) for a master or a layout."""
    left, top, width, height = box
    return parse_xml(
        f'<p:sp {_NS}><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr/>'
        f'<p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        f'<a:prstGeom prst="{geometry}"><a:avLst/></a:prstGeom>'
        f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr>'
        f"<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr/></a:p></p:txBody></p:sp>"
    )


def set_ground(owner: object, colour: str) -> None:
    """Give a master or layout a plain ground of a theme colour."""
    slide_data = owner._element.find(qn("p:cSld"))  # type: ignore[attr-defined]
    for old in slide_data.findall(qn("p:bg")):
        slide_data.remove(old)
    fill = f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'
    slide_data.insert(0, parse_xml(f"<p:bg {_NS}><p:bgPr>{fill}<a:effectLst/></p:bgPr></p:bg>"))


def add_transition(slide: Slide) -> None:
    """Fade to this slide."""
    slide._element.append(parse_xml(f'<p:transition {_NS} spd="med"><p:fade/></p:transition>'))


def add_entrances(slide: Slide, shape_ids: list[int]) -> None:
    """Let the shapes fade in one after the other, each on a click; call after `add_transition`."""
    steps = []
    number = 3
    for shape_id in shape_ids:
        steps.append(
            f'<p:par><p:cTn id="{number}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst>'
            f'<p:childTnLst><p:par><p:cTn id="{number + 1}" fill="hold"><p:stCondLst><p:cond'
            f' delay="0"/></p:stCondLst>'
            f"<p:childTnLst><p:par><p:cTn"
            f' id="{number + 2}" presetID="10" presetClass="entr" presetSubtype="0" '
            f'fill="hold" nodeType="clickEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>'
            f'<p:set><p:cBhvr><p:cTn id="{number + 3}" dur="1" fill="hold"><p:stCondLst><p:cond delay="0"/>'
            f'</p:stCondLst></p:cTn><p:tgtEl><p:spTgt spid="{shape_id}"/></p:tgtEl><p:attrNameLst>'
            f"<p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to><p:strVal "
            f'val="visible"/></p:to></p:set><p:animEffect transition="in" filter="fade"><p:cBhvr>'
            f'<p:cTn id="{number + 4}" dur="500"/><p:tgtEl><p:spTgt spid="{shape_id}"/></p:tgtEl></p:cBhvr>'
            f"</p:animEffect></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst>"
            f"</p:cTn></p:par>"
        )
        number += 5
    slide._element.append(
        parse_xml(
            f'<p:timing {_NS}><p:tnLst><p:par><p:cTn id="1" dur="indefinite"'
            f' restart="never" nodeType="tmRoot">'
            f'<p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2"'
            f' dur="indefinite" nodeType="mainSeq">'
            f'<p:childTnLst>{"".join(steps)}</p:childTnLst></p:cTn><p:prevCondLst><p:cond evt="onPrev"'
            f' delay="0">'
            f"<p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst><p:nextCondLst>"
            f'<p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst></p:seq>'
            f"</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
        )
    )


def hide(slide: Slide) -> None:
    """Leave the slide out of the show."""
    slide._element.set("show", "0")
