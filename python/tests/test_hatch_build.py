"""The version of a wheel."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from conftest import ROOT


@pytest.fixture(scope="module")
def hatch_build() -> Any:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "python" / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("described", "version"),
    [
        ("v1.2.3", "1.2.3"),
        ("v1.2.3-rc.1", "1.2.3rc1"),
        ("v1.2.3-7-g0123abc", "1.2.4.dev7+g0123abc"),
        ("v1.2.3-rc.1-7-g0123abc", "1.2.3rc2.dev7+g0123abc"),
        ("v0.0.0-12-g0123abc", "0.0.0.dev12+g0123abc"),
    ],
)
def test_versions_are_those_of_git_describe(hatch_build: Any, described: str, version: str) -> None:
    assert hatch_build.pep440(described) == version


def test_metadata_of_old_hatchlings_has_the_version_of_its_fields(hatch_build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = pytest.importorskip("hatchling.metadata.spec")

    class Config:
        _WheelBuilderConfig__core_metadata_constructor: Any = None

    config = Config()
    monkeypatch.setattr(spec, "get_core_metadata_constructors", lambda: {"2.1": lambda of: f"Metadata-Version: 2.1\nName: {of}\n"})
    hatch_build.number_metadata(config)
    assert config._WheelBuilderConfig__core_metadata_constructor("w2v") == "Metadata-Version: 2.4\nName: w2v\n"
    own = Config()
    monkeypatch.setattr(spec, "get_core_metadata_constructors", lambda: {"2.1": None, "2.4": None})
    hatch_build.number_metadata(own)
    assert own._WheelBuilderConfig__core_metadata_constructor is None


def test_other_versions_are_refused(hatch_build: Any) -> None:
    with pytest.raises(ValueError, match="^'main' is not a version such as v1.2.3 or v1.2.3-rc.1$"):
        hatch_build.pep440("main")
