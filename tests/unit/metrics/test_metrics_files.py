"""Result files, box files, picture files and the worker's function."""

from __future__ import annotations

import dataclasses
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
import numpy as np
import pytest
from PIL import Image

from studio.errors import BadInput
from studio.metrics.aesthetics import deck_scores, deck_scores_from_raw
from studio.metrics.json_values import json_object
from studio.metrics.parameters import PRESETS
from studio.metrics.pictures import load_picture
from studio.metrics.reference_json import read_boxes, read_result, result_json
from studio.metrics.slides import PixelBox, measure_slide
from studio.metrics.work import MeasureTask, SlideInput, measure_deck, one_thread

BENCHMARK = PRESETS["benchmark"]


def text_slide():
    rgb = np.full((72, 128, 3), 255, np.uint8)
    rgb[30:40, 20:100:4] = (20, 30, 120)
    return rgb


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "slide_0001.png"
    Image.fromarray(text_slide()).save(path)
    return path


def deck(golden):
    names = golden.values["recommended_decks"]["text_deck"]["slides"]
    return [golden.measures[name] for name in names], [f"{name}.png" for name in names]


def test_that_a_result_has_the_references_keys(golden):
    measures, paths = deck(golden)
    scores = deck_scores(measures, BENCHMARK)
    result = json.loads(json.dumps(result_json(measures, scores, BENCHMARK, paths), allow_nan=False))
    assert list(result) == ["num_slides", "slides", "aggregated", "aesthetics_score", "studio"]
    slide = result["slides"][0]
    assert list(slide) == [
        "figure_ground_contrast",
        "color_harmony",
        "colorfulness",
        "subband_entropy",
        "_timing",
        "_metrics_requested",
        "_metrics_selected",
        "slide_index",
        "slide_path",
    ]
    assert set(slide["figure_ground_contrast"]) == {"min", "max", "mean"}
    assert set(slide["color_harmony"]) == {"best_template", "best_distance", "template_distances"}
    assert list(slide["color_harmony"]["template_distances"]) == [
        "i", "V", "L", "mirror_L", "I", "T", "Y", "X",
    ]  # fmt: skip
    assert set(slide["subband_entropy"]) == {
        "subband_entropy",
        "luminance_entropy",
        "chrom_a_entropy",
        "chrom_b_entropy",
        "luminance_entropy_total",
        "chrom_a_entropy_total",
        "chrom_b_entropy_total",
        "n_subbands",
    }
    assert slide["subband_entropy"]["n_subbands"] == {"L": 14, "a": 14, "b": 14}
    assert (slide["slide_index"], slide["slide_path"]) == (0, "g02_text_light.png")
    aggregated = result["aggregated"]
    assert set(aggregated["figure_ground_contrast"]) == {
        "mean", "std", "min", "max", "slide_min_mean", "slide_max_mean",
    }  # fmt: skip
    assert set(aggregated["color_harmony"]) == {
        "mean_distance", "std_distance", "min_distance", "max_distance", "deck_metrics", "raw_distances",
    }  # fmt: skip
    assert set(aggregated["color_harmony"]["deck_metrics"]) == {
        "mean_score", "deck_consistency", "final_score",
    }  # fmt: skip
    assert set(aggregated["colorfulness"]) == {
        "mean", "std", "min", "max", "pacing_score", "pacing_normalization",
    }  # fmt: skip
    assert set(aggregated["colorfulness"]["pacing_normalization"]) == {
        "method", "formula", "mu_target", "w", "sigma_pacing",
    }  # fmt: skip
    assert set(aggregated["subband_entropy"]) == {"mean", "std", "min", "max", "mean_luminance"}
    assert set(aggregated["visual_hrv"]) == {
        "rmssd",
        "overload_count",
        "overload_window",
        "overload_threshold",
        "overload_window_start_indices",
        "deltas",
        "final_score",
        "interpretation",
        "n_slides_used",
        "normalization",
    }
    assert set(aggregated["visual_hrv"]["normalization"]) == {
        "method", "formula", "mu", "k", "raw_scores", "normalized_scores",
    }  # fmt: skip
    assert result["aesthetics_score"]["parameters_used"] == golden.values["slidesgen_run"]["parameters"]
    assert set(result["aesthetics_score"]["components"]) == {
        "contrast", "colorfulness", "harmony", "entropy", "rmssd",
    }  # fmt: skip


def test_that_a_result_that_was_read_back_gives_the_same_scores(golden, tmp_path):
    measures, paths = deck(golden)
    scores = deck_scores(measures, BENCHMARK)
    file = tmp_path / "result.json"
    file.write_text(json.dumps(result_json(measures, scores, BENCHMARK, paths)), encoding="utf-8")
    back = read_result(file)
    again = deck_scores_from_raw(
        back.contrast_means, back.harmony_distances, back.colourfulness, back.entropies, back.parameters
    )
    assert again.total == scores.total
    assert back.total == scores.total.value
    assert back.components["rmssd"] == scores.rhythm_rmssd.value
    assert back.slide_paths == tuple(paths)


def test_that_figures_that_are_only_printed_are_the_printed_ones(golden):
    # Slides that differ from the golden run only in what these figures do not depend on.
    run = golden.values["slidesgen_run"]["r5_tight"]
    some = golden.measures["g02_text_light"]
    measures = [
        dataclasses.replace(
            some,
            contrast_mean=contrast,
            harmony=dataclasses.replace(some.harmony, distance_deg=distance),
            colour=dataclasses.replace(some.colour, value=colour),
            entropy=dataclasses.replace(some.entropy, value=entropy),
        )
        for contrast, distance, colour, entropy in zip(
            run["figure_ground_slide_mean"],
            run["harmony_distance"],
            run["colorfulness"],
            run["subband_entropy"],
            strict=True,
        )
    ]
    scores = deck_scores(measures, BENCHMARK)
    aggregated = result_json(measures, scores, BENCHMARK, [""] * 9)["aggregated"]
    expected = run["expected"]
    assert aggregated["color_harmony"]["deck_metrics"] == pytest.approx(
        {
            "mean_score": expected["harmony_mean_score"],
            "deck_consistency": expected["harmony_std_score"],
            "final_score": expected["harmony_final_score_default"],
        },
        abs=1e-9,
    )
    assert aggregated["colorfulness"]["pacing_score"] == pytest.approx(expected["pacing_score_default"], abs=1e-9)
    pulse = aggregated["visual_hrv"]
    assert pulse["final_score"] == pytest.approx(expected["hrv_final_score_default"], abs=1e-9)
    assert pulse["overload_window_start_indices"] == expected["overload_windows"]
    assert pulse["interpretation"] == expected["interpretation"]
    assert len(pulse["deltas"]) == 8
    assert min(pulse["deltas"]) >= 0


def test_that_what_is_undefined_is_null_with_a_reason():
    measures = [measure_slide(np.full((8, 8, 3), 255, np.uint8), None, BENCHMARK)]
    result = result_json(measures, deck_scores(measures, BENCHMARK), BENCHMARK, ["a.png"])
    text = json.dumps(result, allow_nan=False)
    assert result["aesthetics_score"]["total"] is None
    assert result["aggregated"]["visual_hrv"]["rmssd"] is None
    assert result["slides"][0]["color_harmony"]["best_template"] is None
    assert set(result["studio"]["undefined_reasons"]) == {"contrast", "entropy", "rmssd", "total"}
    assert read_result(json.loads(text)).contrast_means == (None,)


@pytest.mark.parametrize(
    "content",
    ["[]", "{", '{"slides": 3}', '{"slides": [{"colorfulness": 1}]}', '{"slides": [{"color_harmony": 2}]}'],
)
def test_that_what_is_no_result_is_refused(tmp_path, content):
    file = tmp_path / "result.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"result\.json"):
        read_result(file)


def test_that_boxes_of_many_slides_are_read(tmp_path):
    file = tmp_path / "boxes.json"
    coordinate = [1.2, 2, 30.0, 8.01]
    slides = {
        "slide_0001": {"boxes": [{"label": "text", "score": 0.9, "coordinate": coordinate, "cls_id": 2}]},
        "slide_0002": {"boxes": [], "width": 3},
        "note": "made by hand",
        "detector": {"version": 2},
    }
    file.write_text(json.dumps(slides), encoding="utf-8")
    assert read_boxes(file) == {
        "slide_0001": (PixelBox(label="text", x0=1, y0=2, x1=30, y1=9, score=0.9),),
        "slide_0002": (),
    }
    assert read_boxes(slides) == read_boxes(str(file)) == read_boxes(file)


def test_that_a_detectors_files_are_read_one_by_one_or_as_a_folder(tmp_path):
    detection = {
        "input_path": "C:\\decks\\slide_0007.png",
        "page_index": None,
        "boxes": [{"label": "doc_title", "coordinate": [0, 0, 5, 5]}],
    }
    (tmp_path / "slide_0001.json").write_text(json.dumps(detection), encoding="utf-8")
    (tmp_path / "slide_0002.json").write_text('{"boxes": []}', encoding="utf-8")
    title = (PixelBox(label="doc_title", x0=0, y0=0, x1=5, y1=5, score=1.0),)
    assert read_boxes(detection) == {"slide_0007": title}
    assert read_boxes(tmp_path) == {"slide_0001": title, "slide_0002": ()}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"slide_0001": []}, "no list of boxes for slide_0001"),
        ({"slide_0001": {"boxes": [{"label": "text"}]}}, "box 1 cannot be used: 'coordinate' is missing"),
        ({"a": {"boxes": [{"label": "text", "coordinate": [1, 2, 3]}]}}, "slide a: box 1"),
        ({"a": {"boxes": [{"label": "text", "coordinate": [1, 2, 3, "x"]}]}}, "'x' is not a number"),
        ({"a": {"boxes": [{"label": "text", "coordinate": [1, 2, 3, float("nan")]}]}}, "nan is not a number"),
        ({"a": {"boxes": ["text"]}}, "slide a: box 1"),
        ({"a": {"boxes": {}}}, "no list of boxes for a"),
        ({"a": {"boxes": [{"label": "text", "coordinate": [1, 2, 3, 10**400]}]}}, "a number is too large"),
        ({"note": "made by hand"}, "no boxes for any slide"),
        ({"boxes": []}, "does not say which slide"),
    ],
)
def test_that_wrong_boxes_are_refused(content, says):
    with pytest.raises(BadInput, match=says):
        read_boxes(content)


def test_that_missing_box_files_are_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_boxes(tmp_path / "boxes.json")
    with pytest.raises(BadInput, match="no JSON files"):
        read_boxes(tmp_path)


def test_that_transparency_is_laid_on_white(tmp_path):
    path = tmp_path / "a.png"
    # Black at half strength on white: (0 · 128 + 255 · 127 + 127) // 255 = 127.
    Image.new("RGBA", (3, 2), (0, 0, 0, 128)).save(path)
    assert np.array_equal(load_picture(path), np.full((2, 3, 3), 127, np.uint8))
    Image.new("LA", (3, 2), (0, 0)).save(path)
    assert np.array_equal(load_picture(path), np.full((2, 3, 3), 255, np.uint8))


def test_that_palettes_grey_and_bitmaps_become_rgb(tmp_path):
    colour = Image.new("RGB", (4, 4), (10, 200, 30))
    colour.quantize(4).save(tmp_path / "palette.png")
    Image.new("L", (4, 4), 77).save(tmp_path / "grey.png")
    Image.new("1", (4, 4), 1).save(tmp_path / "bits.png")
    assert load_picture(tmp_path / "palette.png")[0, 0].tolist() == [10, 200, 30]
    assert load_picture(tmp_path / "grey.png")[0, 0].tolist() == [77, 77, 77]
    assert load_picture(tmp_path / "bits.png")[0, 0].tolist() == [255, 255, 255]


def test_that_a_palette_with_a_transparent_entry_is_laid_on_white(tmp_path):
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putdata([0, 1])
    picture.save(tmp_path / "p.png", transparency=0)
    assert load_picture(tmp_path / "p.png").tolist() == [[[255, 255, 255], [0, 0, 255]]]


def test_that_16_bits_become_the_nearest_of_8(tmp_path):
    values = np.array([[0, 128, 129, 257 * 100, 65535]], np.uint16)
    Image.fromarray(values).save(tmp_path / "deep.png")
    assert load_picture(tmp_path / "deep.png")[0, :, 0].tolist() == [0, 0, 1, 100, 255]


@pytest.mark.parametrize("ending", ["png", "tif"])
def test_that_16_bit_colours_become_the_nearest_of_8(tmp_path, ending):
    path = tmp_path / f"deep.{ending}"
    blue_green_red = np.zeros((2, 3, 3), np.uint16)
    blue_green_red[:] = (65535, 257 * 100, 129)
    cv2.imwrite(str(path), blue_green_red)
    assert load_picture(path)[1, 2].tolist() == [1, 100, 255]


def test_that_16_bit_colours_with_transparency_are_laid_on_white(tmp_path):
    path = tmp_path / "deep.png"
    with_alpha = np.zeros((1, 2, 4), np.uint16)
    with_alpha[0, 0] = (65535, 0, 0, 65535)
    cv2.imwrite(str(path), with_alpha)
    assert load_picture(path).tolist() == [[[0, 0, 255], [255, 255, 255]]]


def test_that_cmyk_becomes_rgb(tmp_path):
    Image.new("CMYK", (16, 16), (0, 0, 0, 0)).save(tmp_path / "print.jpg")
    assert load_picture(tmp_path / "print.jpg").min() >= 250


def test_that_what_is_no_picture_file_is_refused(tmp_path, picture):
    with pytest.raises(BadInput, match="There is no picture"):
        load_picture(tmp_path / "missing.png")
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(BadInput, match="is not a picture"):
        load_picture(tmp_path / "text.png")
    (tmp_path / "cut.png").write_bytes(picture.read_bytes()[:150])
    with pytest.raises(BadInput, match="cannot be read"):
        load_picture(tmp_path / "cut.png")
    Image.fromarray(np.zeros((4, 4), np.float32)).save(tmp_path / "float.tif")
    with pytest.raises(BadInput, match="floating-point"):
        load_picture(tmp_path / "float.tif")


def task(picture, **of_slide):
    tighten = of_slide.pop("tighten", True)
    slide = SlideInput(number=5, image_path=str(picture), **of_slide)
    return MeasureTask(slides=(slide,), parameters=BENCHMARK, tighten=tighten)


def test_that_geometry_is_tightened_and_files_are_not(picture):
    shares = (("text", 0.0, 0.25, 1.0, 0.75),)
    whole = PixelBox(label="text", x0=0, y0=18, x1=128, y1=54)
    tight = measure_deck(task(picture, boxes=shares)).slides[0]
    loose = measure_deck(task(picture, boxes=shares, tighten=False)).slides[0]
    given = measure_deck(task(picture, boxes_px=(whole,))).slides[0]
    # Ink stands in rows 30–39 and in columns 20, 24, … 96.
    assert tight.regions[0].box_px == (20, 30, 97, 40)
    assert loose.regions[0].box_px == given.regions[0].box_px == (0, 18, 128, 54)
    assert tight.contrast_mean > given.contrast_mean
    assert loose.contrast_mean == given.contrast_mean


def test_that_a_box_without_ink_is_flagged(picture):
    measures = measure_deck(task(picture, boxes=(("text", 0.0, 0.0, 1.0, 0.25),))).slides[0]
    assert measures.contrast_mean == 0.0
    assert "box_without_ink" in measures.flags


def test_that_unknown_and_absent_text_stay_apart_in_a_task(picture):
    assert "no_regions" in measure_deck(task(picture)).slides[0].flags
    assert "no_text" in measure_deck(task(picture, boxes=())).slides[0].flags
    with pytest.raises(ValueError, match="not from both"):
        task(picture, boxes=(), boxes_px=())


def test_that_a_slide_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(BadInput, match="Slide 5: There is no picture"):
        measure_deck(task(tmp_path / "gone.png"))
    with pytest.raises(BadInput, match="no slides"):
        measure_deck(MeasureTask(slides=(), parameters=BENCHMARK))


def test_that_a_deck_is_measured_the_same_in_another_process(picture):
    work = task(picture, boxes=(("text", 0.0, 0.25, 1.0, 0.75),))
    assert pickle.loads(pickle.dumps(work)) == work
    here = measure_deck(work)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=one_thread) as pool:
        there = pool.submit(measure_deck, work).result(timeout=60)
    assert there == here
    assert there.numbers == (5,)


def test_that_json_nested_without_end_is_refused_as_other_damaged_json_is(tmp_path):
    path = tmp_path / "boxes.json"
    path.write_text("[" * 100_000, "utf-8")
    with pytest.raises(BadInput, match=r"boxes\.json is not JSON"):
        json_object(path)
