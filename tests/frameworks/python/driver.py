"""What the drivers share: they read their cases, and write what a framework made of each."""

import asyncio
import inspect
import json
import sys
import traceback
from typing import Any, Callable

PLAIN = "Say how the till is."
WEATHER = "What is the weather in Paris and in Rome? Use the tool for both at once."
CITY = "Name a city with its population."
IMAGE = "How many images do you see?"
TEXTS = ["one", "two"]
# A red pixel.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


class Case:
    """One thing to do, and where."""

    def __init__(self, fields: dict[str, Any]):
        self.id = fields["id"]
        self.dialect = fields["dialect"]
        self.upstream = fields["upstream"]
        self.check = fields["check"]
        self.model = fields["model"]
        self.url = fields["url"]
        self.key = fields["key"]

    @property
    def base(self) -> str:
        """The base address, as the SDKs of the dialect's vendor take it."""
        return self.url + "/v1" if self.dialect in ("chat", "responses") else self.url


def outcome(text: Any = None, usage: Any = None, value: Any = None, reasoning: Any = None) -> dict[str, Any]:
    """What a check came to; `usage` is input and output tokens."""
    said = {"text": text, "value": value, "reasoning": reasoning}
    if usage is not None and None not in usage:
        said["usage"] = list(usage)
    return {name: found for name, found in said.items() if found is not None}


def run(checks: dict[str, Callable[[Case], Any]], errors: dict[str, tuple[str, str]]) -> None:
    """Runs every case that the framework has.

    `checks` holds a function for each check; one that returns None has it not for this dialect. Its `plain` is also what the
    checks of errors do, or `schema` where there is none. `errors` names the classes of a rate limit and of a prompt that is too long, by dialect.
    """
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = [Case(fields) for fields in json.load(file)]
    for case in cases:
        said = run_case(case, checks, errors, loop)
        with open(sys.argv[2], "a", encoding="utf-8") as file:
            file.write(json.dumps({"id": case.id, **said}) + "\n")


def run_case(case, checks, errors, loop) -> dict[str, Any]:
    fails = case.check in ("limit", "overflow")
    check = checks.get("plain", checks.get("schema")) if fails else checks.get(case.check)
    expected = errors.get(case.dialect)
    if check is None or (fails and expected is None):
        return {"lacks": True}
    said: dict[str, Any] = {}
    if fails:
        said["expects"] = expected[0 if case.check == "limit" else 1]
    try:
        found = check(case)
        if inspect.isawaitable(found):
            found = loop.run_until_complete(asyncio.wait_for(found, 30))
        return {**said, **({"lacks": True} if found is None else found)}
    except BaseException as error:  # A driver goes on whatever a framework does.
        traceback.print_exc()
        return {**said, "error": describe(error)}


def describe(error: BaseException) -> dict[str, Any]:
    """The classes of an error and of those that it came from, and what they say."""
    classes: list[str] = []
    messages: list[str] = []
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        classes += [each.__name__ for each in type(found).__mro__ if each not in (object, BaseException)]
        messages.append(f"{found} {getattr(found, 'code', '') or ''}")
        found = found.__cause__ or found.__context__
    return {"classes": classes, "message": "; ".join(messages)}
