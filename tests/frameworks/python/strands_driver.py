import base64

from pydantic import BaseModel
from strands import Agent, tool
from strands.models.anthropic import AnthropicModel
from strands.models.gemini import GeminiModel
from strands.models.openai import OpenAIModel

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run


class City(BaseModel):
    """A city with its population."""

    city: str
    population: int


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case, params=None):
    if case.dialect == "messages":
        client = {"api_key": case.key, "base_url": case.base, "max_retries": 0}
        return AnthropicModel(client_args=client, model_id=case.model, max_tokens=2048, params=params or {})
    if case.dialect == "gemini":
        client = {"api_key": case.key, "http_options": {"base_url": case.base}}
        return GeminiModel(client_args=client, model_id=case.model, params=params or {})
    client = {"api_key": case.key, "base_url": case.base, "max_retries": 0}
    return OpenAIModel(client_args=client, model_id=case.model, params=params or {})


def agent(case, params=None, **more):
    return Agent(model=model(case, params), callback_handler=None, retry_strategy=None, **more)


def said(result):
    return outcome(text=str(result).strip(), usage=used(result))


def used(result):
    usage = result.metrics.accumulated_usage
    return [usage["inputTokens"], usage["outputTokens"]]


def stream(case):
    pieces = []
    made = Agent(model=model(case), callback_handler=lambda **event: pieces.append(event.get("data", "")))
    result = made(PLAIN)
    return outcome(text="".join(pieces), usage=used(result))


async def plain(case):
    """The model without the agent, which would shorten a conversation that is too long."""
    text, usage = "", None
    async for event in model(case).stream([{"role": "user", "content": [{"text": PLAIN}]}]):
        text += event.get("contentBlockDelta", {}).get("delta", {}).get("text", "")
        usage = event.get("metadata", {}).get("usage", usage)
    return outcome(text=text, usage=[usage["inputTokens"], usage["outputTokens"]])


def schema(case):
    result = agent(case)(CITY, structured_output_model=City)
    return outcome(value=result.structured_output.model_dump())


def image(case):
    picture = {"image": {"format": "png", "source": {"bytes": base64.b64decode(PNG)}}}
    return said(agent(case)([{"text": IMAGE}, picture]))


def reasoning(case):
    params = {
        "chat": {"reasoning_effort": "low"},
        "messages": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        "gemini": {"thinking_config": {"include_thoughts": True, "thinking_budget": 1024}},
    }[case.dialect]
    result = agent(case, params)(PLAIN)
    blocks = [block["reasoningContent"] for block in result.message["content"] if "reasoningContent" in block]
    thoughts = "".join(block["reasoningText"]["text"] for block in blocks if "reasoningText" in block)
    return {**said(result), "reasoning": thoughts}


run(
    {
        "plain": plain,
        "stream": stream,
        "tools": lambda case: said(agent(case, tools=[get_weather])(WEATHER)),
        "schema": schema,
        "image": image,
        "reasoning": reasoning,
    },
    {
        name: ("ModelThrottledException", "ContextWindowOverflowException")
        for name in ("chat", "messages", "gemini")
    },
)
