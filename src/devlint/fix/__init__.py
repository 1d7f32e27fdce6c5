"""Fixes: choosing them, proving them, applying them."""
