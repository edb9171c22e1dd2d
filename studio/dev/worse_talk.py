"""An invented talk with one slide moved, one shown twice, two images swapped and one section of its source left out."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw
from pptx import Presentation
from pptx.util import Inches

Slide = tuple[str, str, str, str]
"""Section of the source, title, words, caption of the image; the last is empty where there is none."""

TALK: tuple[Slide, ...] = (
    ("Introduction", "Pollen forecasts for towns", "motivation: hay fever patients need pollen forecasts for streets",
     "town map with pollen clouds over streets"),
    ("Introduction", "Outline", "introduction, related work, sensors, model, experiments, results, conclusion", ""),
    ("Related work", "Related work: trap counts", "earlier work counts grains in Hirst traps by hand each week",
     "photograph of a Hirst trap with grains"),
    ("Related work", "Related work: weather models", "weather models spread pollen by wind but ignore the city trees",
     "wind arrows of a weather model"),
    ("Sensor network", "Sensor network", "forty laser sensors on lamp posts measure grain size and shape each minute",
     "laser sensor mounted on a lamp post"),
    ("Sensor network", "Sensor calibration", "sensors calibrated against microscope slides in the laboratory",
     "microscope calibration curve of the sensors"),
    ("Neural model", "Neural model architecture", "graph neural network with attention passes messages between sensors",
     "architecture diagram of the graph neural network"),
    ("Neural model", "Training objective", "training loss weighs high pollen days, Adam optimiser, dropout of layers",
     "training loss curve of the optimiser"),
    ("Experiments", "Experimental setup", "experiments use three seasons of data, two for training and one held out",
     "calendar of three seasons of data"),
    ("Results", "Results: accuracy", "results show error reduced by thirty percent against the baselines",
     "bar chart of error against the baselines"),
    ("Results", "Results: street level", "street level results follow birch trees near parks and avenues",
     "street heat map of birch trees and parks"),
    ("Conclusion", "Conclusion and future work", "conclusion: street forecasts are possible; future work adds bees",
     ""),
)  # fmt: skip
PRIVACY = (
    "Privacy of residents",
    "lamp post cameras blur faces, residents consent by letter, an ethics board audits stored video and deletes it",
)
"""The section that no slide is about."""
ORDER = (0, 1, 2, 11, 3, 4, 5, 6, 7, 8, 9, 4, 10)
"""The conclusion stands fourth, and the sensor slide is shown again near the end."""
SWAPPED = {2: 6, 6: 2}

CHINESE: tuple[Slide, ...] = (
    ("引言", "城市花粉预报", "研究动机：花粉症患者需要街道级的花粉预报", "街道上空花粉云的城市地图"),
    ("引言", "提纲", "引言、相关工作、传感器、模型、实验、结果、结论", ""),
    ("传感器网络", "传感器网络：四十个激光传感器", "路灯上的激光传感器每分钟测量颗粒的大小和形状", "路灯上的传感器"),
    ("模型", "图神经网络模型", "带注意力的图神经网络在传感器之间传递消息", "图神经网络的结构图"),
    ("结果", "结果：误差降低百分之三十", "与基线相比误差降低百分之三十", "误差与基线的柱状图"),
    ("传感器网络", "传感器网络：四十个激光传感器", "路灯上的激光传感器每分钟测量颗粒的大小和形状", "路灯上的传感器"),
    ("结论", "结论与展望", "街道级预报是可行的；今后的工作加入蜜蜂数据", ""),
)  # fmt: skip


def picture(number: int) -> io.BytesIO:
    """Return the image of a slide as PNG: a coloured chart that no other slide has."""
    image = Image.new("RGB", (320, 200), (236, 240, 244))
    draw = ImageDraw.Draw(image)
    tone = ((37 * number) % 200 + 30, (91 * number) % 160 + 60, 200 - (29 * number) % 150)
    for bar in range(6):
        height = 30 + (number * 17 + bar * 41) % 130
        draw.rectangle((20 + bar * 48, 180 - height, 52 + bar * 48, 180), fill=tone)
    data = io.BytesIO()
    image.save(data, "PNG")
    data.seek(0)
    return data


def write_talk(
    path: Path, order: Sequence[int], images: Mapping[int, int] | None = None, talk: Sequence[Slide] = TALK
) -> None:
    """Write a talk as a PowerPoint file.

    Args:
        path: of the file.
        order: places in the talk, from 0, in the order in which they are shown.
        images: place → whose image it shows; its own where it is not named.
        talk: the slides.
    """
    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = Inches(13.333), Inches(7.5)
    for number in order:
        _, title, words, caption = talk[number]
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = words
        slide.shapes.title.width = slide.placeholders[1].width = Inches(12)
        slide.placeholders[1].height = Inches(2)
        if caption:
            shown = (images or {}).get(number, number)
            shape = slide.shapes.add_picture(picture(shown), Inches(4.2), Inches(4), Inches(4.8), Inches(3))
            shape._element.nvPicPr.cNvPr.set("descr", talk[shown][3])
    presentation.save(str(path))


def source_text(talk: Sequence[Slide] = TALK, left_out: tuple[str, str] = PRIVACY) -> str:
    """Return the source of a talk as Markdown, one section for each part and one that no slide is about."""
    sections: dict[str, list[str]] = {}
    for section, title, words, _ in talk:
        sections.setdefault(section, []).append(f"{title}. {words}.")
    texts = [f"# {name}\n\n{' '.join(words * 4)}\n" for name, words in sections.items()]
    return "\n".join([*texts[:5], f"# {left_out[0]}\n\n{(left_out[1] + '. ') * 5}\n", *texts[5:]])
