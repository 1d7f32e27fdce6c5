"""The junit format."""

from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

from devlint.diagnostic import FileResult
from devlint.report.junit import render
from tests.report.samples import CLEAN, FAILED, FOUND, LOAD, written


def test_findings_and_a_failure() -> None:
    assert (
        written(render, (*FOUND, FAILED))
        == """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="devlint" tests="4" failures="3" errors="1" skipped="0">
  <testsuite name="pkg/net.py" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="devlint.DEV104" classname="pkg/net" line="2" column="5">
      <failure type="info" message="100% of it, moved: once">line 2, col 5, 100% of it, moved: once</failure>
    </testcase>
  </testsuite>
  <testsuite name="train.py" tests="2" failures="2" errors="0" skipped="0">
    <testcase name="devlint.DEV101" classname="train" line="9" column="9">
      <failure type="error" message="the moved copy of `scale` is dropped: a tensor does not move in place">line 9, col 9, the moved copy of `scale` is dropped: a tensor does not move in place</failure>
    </testcase>
    <testcase name="devlint.DEV501" classname="train" line="13" column="11">
      <failure type="warning" message="no `map_location`: fails where the card it was saved from is missing">line 13, col 11, no `map_location`: fails where the card it was saved from is missing</failure>
    </testcase>
  </testsuite>
  <testsuite name="bad.py" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="devlint" classname="bad">
      <error message="not valid utf-8: byte 0xff on line 1"/>
    </testcase>
  </testsuite>
</testsuites>
"""
    )


def test_nothing_found_is_one_case_that_passes() -> None:
    assert (
        written(render, CLEAN)
        == """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="devlint" tests="1" failures="0" errors="0" skipped="0">
  <testsuite name="devlint" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="No findings" classname="devlint"/>
  </testsuite>
</testsuites>
"""
    )


def test_any_message_gives_a_document_that_parses() -> None:
    odd = dataclasses.replace(LOAD, message="a < b & 'c' \"d\" \n\r \x1b \udc80 é")
    root = ElementTree.fromstring(written(render, [FileResult("train.py", (odd,))]))
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "a < b & 'c' \"d\" \n\r \ufffd \ufffd é"
