"""Sources as HTML: Markdown as a page with its style and its picture inside."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from podium_demo.outline import DemoInstance
from podium_demo.pictures import Paint, picture_png

_STYLE = """
body { font-family: Carlito, 'Noto Sans CJK SC', sans-serif; color: #17303f; background: #ffffff; margin: 0;
  line-height: 1.5; font-size: 17px; }
main { max-width: 820px; margin: 0 auto; padding: 32px 24px 80px; }
h1 { font-size: 40px; margin-bottom: 8px; } h2 { margin-top: 40px; color: #0f5c9c; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 8px 12px; }
th { background: #dff3ff; } td { border-bottom: 1px solid #d5e2ea; }
.hero { float: right; width: 230px; height: 230px; margin: 0 0 12px 24px; }
"""


def write_html(instance: DemoInstance, text: str, target: Path) -> None:
    """Write the Markdown as one HTML file without references to any other."""
    body = MarkdownIt("commonmark").enable("table").render(text)
    paint = Paint(dark="#17303f", main="#4f9fd6", light="#eaf6ff", spark="#ffb703")
    picture = base64.b64encode(picture_png(instance.subject, paint, 460)).decode("ascii")
    title = escape(instance.outline.title)
    html = (
        f'<!doctype html>\n<html lang="{instance.language}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<img class="hero" alt="{title}"'
        f' src="data:image/png;base64,{picture}">\n{body}</main>\n</body>\n</html>\n'
    )
    target.write_text(html, encoding="utf-8", newline="\n")
