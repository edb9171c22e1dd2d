"""The tuning window of the Alignment page: components, weights, search over parameters, V-E matrix."""
