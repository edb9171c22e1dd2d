"""The window for whoever makes studies: rules and plan, people, guidelines, training, known answers, packs."""
