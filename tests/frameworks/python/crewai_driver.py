import json
import os

os.environ["CREWAI_STORAGE_DIR"] = "house"

from crewai import LLM, Agent  # noqa: E402
from crewai.tools import tool  # noqa: E402
from pydantic import BaseModel  # noqa: E402

from driver import CITY, PLAIN, WEATHER, outcome, run  # noqa: E402

VENDORS = {"chat": "openai", "messages": "anthropic", "gemini": "gemini"}


class City(BaseModel):
    city: str
    population: int


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case, **more):
    if case.dialect == "gemini":
        more["client_params"] = {"http_options": {"base_url": case.base}}
    else:
        more["base_url"] = case.base
    return LLM(model=f"{VENDORS[case.dialect]}/{case.model}", api_key=case.key, max_retries=0, **more)


def used(llm):
    usage = llm.get_token_usage_summary()
    return [usage.prompt_tokens, usage.completion_tokens]


def plain(case):
    llm = model(case)
    return outcome(text=llm.call(PLAIN), usage=used(llm))


def stream(case):
    llm = model(case, stream=True)
    return outcome(text=llm.call(PLAIN), usage=used(llm))


def tools(case):
    llm = model(case)
    agent = Agent(role="house", goal="Tell the weather.", backstory="None.", llm=llm, tools=[get_weather])
    return outcome(text=agent.kickoff(WEATHER).raw, usage=used(llm))


def schema(case):
    llm = model(case)
    found = llm.call(CITY, response_model=City)
    value = found.model_dump() if isinstance(found, BaseModel) else json.loads(found)
    return outcome(value=value, usage=used(llm))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema},
    {
        "chat": ("RateLimitError", "LLMContextLengthExceededError"),
        # Its own class stands for OpenAI's form alone.
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
        "gemini": ("APIError:429", "ClientError:token count"),
    },
)
