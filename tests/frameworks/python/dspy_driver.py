import dspy

from driver import CITY, PLAIN, outcome, run

VENDORS = {"chat": "openai", "messages": "anthropic", "gemini": "gemini"}


class NameCity(dspy.Signature):
    """Name a city with its population."""

    request: str = dspy.InputField()
    city: str = dspy.OutputField()
    population: int = dspy.OutputField()


def model(case):
    base = f"{case.url}/v1beta" if case.dialect == "gemini" else f"{case.url}/v1"
    return dspy.LM(
        f"{VENDORS[case.dialect]}/{case.model}",
        api_base=base,
        api_key=case.key,
        cache=False,
        num_retries=0,
        max_tokens=2000,
    )


def used(lm):
    usages = [entry["usage"] for entry in lm.history]
    return [sum(usage[name] for usage in usages) for name in ("prompt_tokens", "completion_tokens")]


def plain(case):
    lm = model(case)
    [reply] = lm(PLAIN)
    return outcome(text=reply if isinstance(reply, str) else reply["text"], usage=used(lm))


def schema(case):
    lm = model(case)
    with dspy.context(lm=lm):
        found = dspy.Predict(NameCity)(request=CITY)
    return outcome(value={"city": found.city, "population": found.population}, usage=used(lm))


run(
    {"plain": plain, "schema": schema},
    {name: ("LMRateLimitError", "ContextWindowExceededError") for name in VENDORS},
)
