from agent_framework import Agent, Content, Message, tool
from agent_framework.anthropic import AnthropicClient
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run


class City(BaseModel):
    city: str
    population: int


@tool(approval_mode="never_require")
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def agent(case, **more):
    if case.dialect == "messages":
        made = AsyncAnthropic(base_url=case.base, api_key=case.key, max_retries=0)
        client = AnthropicClient(model=case.model, anthropic_client=made)
    else:
        made = AsyncOpenAI(base_url=case.base, api_key=case.key, max_retries=0)
        kind = OpenAIChatClient if case.dialect == "responses" else OpenAIChatCompletionClient
        client = kind(model=case.model, async_client=made)
    return Agent(client=client, **more)


def used(reply):
    usage = reply.usage_details or {}
    return [usage.get("input_token_count"), usage.get("output_token_count")]


async def plain(case):
    reply = await agent(case).run(PLAIN)
    return outcome(text=reply.text, usage=used(reply))


async def stream(case):
    streamed = agent(case).run(PLAIN, stream=True)
    text = ""
    async for update in streamed:
        text += update.text or ""
    return outcome(text=text, usage=used(await streamed.get_final_response()))


async def tools(case):
    reply = await agent(case, tools=[get_weather]).run(WEATHER)
    return outcome(text=reply.text, usage=used(reply))


async def schema(case):
    reply = await agent(case).run(CITY, options={"response_format": City})
    return outcome(value=reply.value.model_dump(), usage=used(reply))


async def image(case):
    picture = Content.from_uri(f"data:image/png;base64,{PNG}", media_type="image/png")
    reply = await agent(case).run(Message("user", [IMAGE, picture]))
    return outcome(text=reply.text, usage=used(reply))


async def reasoning(case):
    options = {
        "responses": {"reasoning": {"effort": "low", "summary": "auto"}},
        "messages": {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2048},
    }.get(case.dialect)
    if options is None:
        return None
    reply = await agent(case).run(PLAIN, options=options)
    parts = [part for message in reply.messages for part in message.contents]
    thoughts = "".join(part.text or "" for part in parts if part.type == "text_reasoning")
    return outcome(text=reply.text, reasoning=thoughts, usage=used(reply))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image, "reasoning": reasoning},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "responses": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
    },
)
