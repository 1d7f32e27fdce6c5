"""What all tests share: asserts of the harness that say what differs."""

import pytest

pytest.register_assert_rewrite("tests.harness")
