"""The guidelines and the training that the studio ships with: harmony, engagement, usability and rhythm."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

from studio.errors import BadInput
from studio.model.changes import Changes, Topic, changed
from studio.model.quality import ExampleDeck, Guidelines, TrainingItem
from studio.model.studies import Study
from studio.paths import resource
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.project import Project

LANGUAGES = ("en", "zh")


def shipped_guidelines(language: str = "en") -> Guidelines:
    """Return the shipped guidelines in a language, with a good and a bad example for each of the four.

    Raises:
        BadInput: if they are not there in this language.
    """
    _check(language)
    raw = _raw()
    return Guidelines(
        version=f"studio-{raw['version']}-{language}",
        text=(resource("guidelines") / f"{language}.md").read_text(encoding="utf-8"),
        examples=tuple(
            ExampleDeck(
                title=item[language][0], why=item[language][1], aspect=item["aspect"], is_good=item["is_good"],
                resource=f"pictures/{item['picture']}.png",
            )
            for item in raw["examples"]
        ),
    )  # fmt: skip


def shipped_training(study: Study, language: str = "en") -> tuple[TrainingItem, ...]:
    """Return the shipped training of a study in a language.

    Raises:
        BadInput: if it is not there in this language.
    """
    _check(language)
    raw = _raw()
    pictures = {item["picture"]: item for item in raw["examples"]}

    def example(name: str) -> ExampleDeck:
        item = pictures[name]
        return ExampleDeck(
            title=item[language][0], why=item[language][1], aspect=item["aspect"], is_good=item["is_good"],
            resource=f"pictures/{name}.png",
        )  # fmt: skip

    return tuple(
        TrainingItem(
            id=f"{study.id}/{item['id']}", study_id=study.id, question=item[language]["question"],
            options=tuple(item[language]["options"]), answer=item[language]["options"][item["answer"]],
            explanation=item[language]["explanation"], examples=tuple(example(name) for name in item["pictures"]),
        )
        for item in raw["training"]
    )  # fmt: skip


def use_shipped(
    project: Project, study: Study, *, language: str = "en", with_training: bool = False
) -> tuple[Study, Changes]:  # fmt: skip
    """Give a study the shipped guidelines, and the training if asked, and return its rules as they are then.

    Raises:
        BadInput: if they are not there in this language.
    """
    guidelines = shipped_guidelines(language)
    told = replace(study, guidelines_version=guidelines.version, needs_training=with_training or study.needs_training)
    with project.writing(is_durable=True):
        quality_store.add_guidelines(project, guidelines)
        if with_training:
            quality_store.save_training_items(project, study.id, shipped_training(study, language))
        study_store.save_study(project, told)
    return told, changed(Topic.PEOPLE)


@lru_cache(maxsize=1)
def _raw() -> dict[str, Any]:
    found = json.loads((resource("guidelines") / "examples.json").read_text(encoding="utf-8"))
    return dict(found)


def _check(language: str) -> None:
    if language not in LANGUAGES:
        raise BadInput(f"There are no guidelines in {language}.", next_step=f"Languages: {', '.join(LANGUAGES)}.")
