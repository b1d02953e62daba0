import base64

from openai import AsyncOpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import ThinkingPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run


class City(BaseModel):
    city: str
    population: int


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case):
    if case.dialect == "messages":
        from anthropic import AsyncAnthropic

        client = AsyncAnthropic(base_url=case.base, api_key=case.key, max_retries=0)
        return AnthropicModel(case.model, provider=AnthropicProvider(anthropic_client=client))
    if case.dialect == "gemini":
        return GoogleModel(case.model, provider=GoogleProvider(api_key=case.key, base_url=case.base))
    client = AsyncOpenAI(base_url=case.base, api_key=case.key, max_retries=0)
    kind = OpenAIResponsesModel if case.dialect == "responses" else OpenAIChatModel
    return kind(case.model, provider=OpenAIProvider(openai_client=client))


def used(result):
    usage = result.usage() if callable(result.usage) else result.usage
    return [usage.input_tokens, usage.output_tokens]


async def plain(case):
    result = await Agent(model(case)).run(PLAIN)
    return outcome(text=result.output, usage=used(result))


async def stream(case):
    async with Agent(model(case)).run_stream(PLAIN) as result:
        text = "".join([piece async for piece in result.stream_text(delta=True)])
        return outcome(text=text, usage=used(result))


async def tools(case):
    result = await Agent(model(case), tools=[get_weather]).run(WEATHER)
    return outcome(text=result.output, usage=used(result))


async def schema(case):
    result = await Agent(model(case), output_type=City).run(CITY)
    return outcome(value=result.output.model_dump(), usage=used(result))


async def image(case):
    picture = BinaryContent(data=base64.b64decode(PNG), media_type="image/png")
    result = await Agent(model(case)).run([IMAGE, picture])
    return outcome(text=result.output, usage=used(result))


async def reasoning(case):
    """Two turns: what was thought in the first one goes back in the second one."""
    settings = {
        "chat": {"openai_reasoning_effort": "low"},
        "responses": {"openai_reasoning_effort": "low", "openai_reasoning_summary": "auto"},
        "messages": {"anthropic_thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4096},
        "gemini": {"google_thinking_config": {"include_thoughts": True, "thinking_budget": 1024}},
    }[case.dialect]
    agent = Agent(model(case), model_settings=settings)
    first = await agent.run(PLAIN)
    last = await agent.run(PLAIN, message_history=first.all_messages())
    parts = [part for message in first.new_messages() for part in message.parts]
    thoughts = [part.content for part in parts if isinstance(part, ThinkingPart)]
    spent = [sum(pair) for pair in zip(used(first), used(last))]
    return outcome(text=last.output, reasoning="".join(thoughts), usage=spent)


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image, "reasoning": reasoning},
    {
        "chat": ("ModelHTTPError:429", "ModelHTTPError:context_length_exceeded"),
        "responses": ("ModelHTTPError:429", "ModelHTTPError:context_length_exceeded"),
        "messages": ("ModelHTTPError:429", "ModelHTTPError:prompt is too long"),
        "gemini": ("ModelHTTPError:429", "ModelHTTPError:token count"),
    },
)
