"""All that spells libcst, and nothing that knows torch."""
