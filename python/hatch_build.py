"""What hatchling asks this project: the version, and what is in a wheel.

A wheel carries the w2v program of one system. These environment variables choose it:

W2V_TARGET    the system, as Go names it, such as linux/arm64; this machine's without it
W2V_BINARIES  a folder of ready programs, <GOOS>_<GOARCH>/w2v[.exe], instead of a build by go
W2V_VERSION   the version; git describe says it without it
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from typing import Any, Dict, List

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ImportError:  # hatchling evaluates version() in an environment of its own
    BuildHookInterface = MetadataHookInterface = object  # type: ignore[assignment,misc]

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(_HERE)

# The program is static: it needs neither glibc nor musl, so one wheel has the tags of both.
# macOS 12 is the oldest that Go's programs run on.
TAGS = {
    "linux/amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


def _said(*command: str) -> str:
    return subprocess.run(
        command, cwd=_ROOT, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout.strip()


def version() -> str:
    """Return the version of the project as PEP 440 spells it."""
    given = os.environ.get("W2V_VERSION")
    return pep440(given if given else described())


def described() -> str:
    """Return what git says of this commit: a tag, or a tag, a number of commits and a hash."""
    try:
        return _said("git", "describe", "--tags", "--match", "v[0-9]*")
    except (OSError, subprocess.CalledProcessError):
        pass
    try:  # no version has been released yet
        return f"v0.0.0-{_said('git', 'rev-list', '--count', 'HEAD')}-g{_said('git', 'rev-parse', '--short=9', 'HEAD')}"
    except (OSError, subprocess.CalledProcessError) as e:
        raise RuntimeError("there is no git to say the version: set W2V_VERSION") from e


def pep440(described: str) -> str:
    """Return a version of git describe or of semantic versioning in the spelling of PEP 440.

    A commit after v1.2.3 is a version before 1.2.4: 1.2.4.dev7+g0123abc.
    """
    match = re.fullmatch(
        r"v?(\d+)\.(\d+)\.(\d+)(?:-(alpha|beta|rc)\.?(\d+))?(?:-(\d+)-(g[0-9a-f]+))?", described
    )
    if match is None:
        raise ValueError(f"{described!r} is not a version such as v1.2.3 or v1.2.3-rc.1")
    major, minor, patch, stage, of_stage, commits, commit = match.groups()
    if commits is not None and stage is None:
        patch = str(int(patch) + 1) if (major, minor, patch) != ("0", "0", "0") else patch
    text = f"{major}.{minor}.{patch}"
    if stage is not None:
        number = int(of_stage) + (commits is not None)
        text += {"alpha": "a", "beta": "b", "rc": "rc"}[stage] + str(number)
    if commits is not None:
        text += f".dev{commits}+{commit}"
    return text


class CustomMetadataHook(MetadataHookInterface):
    """Names the Pythons that older hatchlings, as Debian has them, do not know yet."""

    def update(self, metadata: Dict[str, Any]) -> None:
        """Change nothing."""

    def get_known_classifiers(self) -> List[str]:
        """Return classifiers that pyproject.toml has, and that indexes know."""
        return [f"Programming Language :: Python :: 3.{minor}" for minor in (13, 14)]


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the program of the target into the wheel."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        if self.target_name != "wheel":
            raise RuntimeError(
                "w2v has no source distribution, because the program in it is built from the whole repository: "
                "clone it, and make a wheel with Go 1.26 and python/wheels here"
            )
        if version == "editable":
            return
        target = os.environ.get("W2V_TARGET") or _said("go", "env", "GOOS") + "/" + _said("go", "env", "GOARCH")
        if target not in TAGS:
            raise ValueError(f"W2V_TARGET is {target}, and wheels are made for {', '.join(TAGS)}")
        name = "w2v.exe" if target.startswith("windows/") else "w2v"
        self._folder = tempfile.mkdtemp(prefix="w2v-wheel-")
        program = os.path.join(self._folder, name)
        ready = os.environ.get("W2V_BINARIES")
        if ready:
            shutil.copyfile(os.path.join(ready, target.replace("/", "_"), name), program)
        else:
            build(target, program)
        os.chmod(program, 0o755)
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + TAGS[target]
        build_data["force_include"][program] = f"w2v/bin/{name}"
        licenses = os.path.join(self._folder, "LICENSES.txt")
        with open(licenses, "wb") as out:
            out.write(licenses_of_modules())
        build_data["force_include"][licenses] = "w2v/bin/LICENSES.txt"
        number_metadata(self.build_config)

    def finalize(self, version: str, build_data: Dict[str, Any], artifact_path: str) -> None:
        if version == "editable":
            return
        shutil.rmtree(self._folder)
        with zipfile.ZipFile(artifact_path) as wheel:
            (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
            metadata = wheel.read(name).decode()
        if not metadata.startswith(f"Metadata-Version: {METADATA_VERSION}\n"):
            os.remove(artifact_path)
            raise RuntimeError(
                f"this hatchling writes {metadata.splitlines()[0]!r}, and License-Expression needs {METADATA_VERSION}: "
                "use hatchling 1.27 or later"
            )


#: The version of metadata that has License-Expression and License-File. Indexes refuse these fields in earlier ones.
METADATA_VERSION = "2.4"


def number_metadata(config: Any) -> None:
    """Let hatchling before 1.27, as Debian has it, say the version of the metadata that it writes.

    It writes the fields of 2.4, from drafts of that version, and calls them 2.1.
    """
    from hatchling.metadata.spec import get_core_metadata_constructors

    constructors = get_core_metadata_constructors()
    if METADATA_VERSION in constructors:
        return

    def numbered(*args: Any, **named: Any) -> str:
        head, _, rest = str(constructors["2.1"](*args, **named)).partition("\n")
        return f"Metadata-Version: {METADATA_VERSION}\n{rest}" if head == "Metadata-Version: 2.1" else f"{head}\n{rest}"

    config._WheelBuilderConfig__core_metadata_constructor = numbered


def licenses_of_modules() -> bytes:
    """Return the licences of all modules that are linked into the program."""
    environment = {k: v for k, v in os.environ.items() if k not in ("GOOS", "GOARCH")}
    command = ["go", "run", "./packaging/licenses"]
    return subprocess.run(command, cwd=_ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout


def build(target: str, program: str) -> None:
    """Build the program for a system, the same bytes every time."""
    goos, goarch = target.split("/")
    environment = dict(os.environ, CGO_ENABLED="0", GOOS=goos, GOARCH=goarch)
    command = ["go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", program, "./cmd/w2v"]
    subprocess.run(command, cwd=_ROOT, env=environment, check=True)
