"""The code judge: a fixed set of rules, each a pure function from what is known of a deck to a finding."""

from studio.checklists.rules.judge import judge_by_code
from studio.checklists.rules.registry import RULES, UnknownRule, code_call, rule_named
from studio.checklists.rules.rule import Rule

__all__ = ["RULES", "Rule", "UnknownRule", "code_call", "judge_by_code", "rule_named"]
