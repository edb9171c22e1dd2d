"""What words say, whoever wrote them and however: folding, numbers with units, finding a phrase. No I/O."""
