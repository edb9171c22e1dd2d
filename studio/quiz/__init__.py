"""Question banks: what of a source survived in the slides, asked by multiple choice. Values in, values out."""
