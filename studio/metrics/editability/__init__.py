"""How far a deck can be edited (PEI): knock-out levels from the file's structure, and shares beside them."""

from studio.metrics.editability.as_json import editability_json, system_json
from studio.metrics.editability.assess import assess_structure, assess_web, static_level
from studio.metrics.editability.rules import RULES, EditabilityRules, rules_named
from studio.metrics.editability.systems import SYSTEM_RULE, system_levels
from studio.metrics.editability.work import EditabilityTask, assess_file, assess_task

__all__ = [
    "RULES",
    "SYSTEM_RULE",
    "EditabilityRules",
    "EditabilityTask",
    "assess_file",
    "assess_structure",
    "assess_task",
    "assess_web",
    "editability_json",
    "rules_named",
    "static_level",
    "system_json",
    "system_levels",
]
