"""What every number of agreement and alignment is: the words that go with it wherever it is copied."""

from __future__ import annotations

TITLES = {
    "spearman": "Spearman ρ",
    "kendall_tau_b": "Kendall τ-b",
    "identical": "Identical ranks",
    "kendall_w": "Kendall W",
    "krippendorff_alpha_ordinal": "Krippendorff α, ordinal",
    "krippendorff_alpha_interval": "Krippendorff α, interval",
    "krippendorff_alpha_nominal": "Krippendorff α, nominal",
    "fleiss_kappa": "Fleiss κ",
    "cohen_kappa": "Cohen κ",
    "weighted_kappa_linear": "Weighted κ, linear",
    "weighted_kappa_quadratic": "Weighted κ, quadratic",
    "gwet_ac1": "Gwet AC1",
    "pabak": "PABAK",
    "percent_agreement": "Same answer",
}
"""What a person calls a metric."""

DEFINITIONS = {
    "spearman": "Pearson's correlation of the mid-ranks of the decks that both sides have, ranked among themselves; "
    "undefined below three decks or where a side is constant.",
    "kendall_tau_b": "Pairs of decks in the same order minus pairs in the opposite one, over all pairs, corrected for "
    "ties on both sides.",
    "identical": "Share of decks with the same mid-rank on both sides; by lot 1/n of n decks.",
    "kendall_w": "Kendall's coefficient of concordance with the correction for ties, the mean over the instances where "
    "everybody ranked every deck; 0 no agreement, 1 the same order.",
    "krippendorff_alpha_ordinal": "One minus observed over expected disagreement, ordinal distances, any gaps.",
    "krippendorff_alpha_interval": "One minus observed over expected disagreement, squared distances, any gaps.",
    "krippendorff_alpha_nominal": "One minus observed over expected disagreement, any two answers equally far apart.",
    "fleiss_kappa": "Agreement beyond chance of as many people on each case; cases with fewer than two are left out.",
    "cohen_kappa": "Agreement of two people beyond what their own shares of answers give by chance.",
    "weighted_kappa_linear": "Cohen's kappa where a disagreement counts by its distance on the scale.",
    "weighted_kappa_quadratic": "Cohen's kappa where a disagreement counts by its squared distance on the scale.",
    "gwet_ac1": "Agreement beyond chance where chance is that of the less common answers: fit for a rare no.",
    "pabak": "Agreement beyond chance where every answer is as likely as the others.",
    "percent_agreement": "Share of couples of people who say the same, without a correction for chance.",
}
"""What a metric of agreement is, in one sentence."""
