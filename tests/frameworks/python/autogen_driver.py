import base64
import io
import json

import PIL.Image

from autogen_agentchat.agents import AssistantAgent
from autogen_core import Image
from autogen_core.models import ModelFamily, UserMessage
from autogen_ext.models.anthropic import AnthropicChatCompletionClient
from autogen_ext.models.openai import OpenAIChatCompletionClient
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run

INFO = {
    "vision": True,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": ModelFamily.UNKNOWN,
}


class City(BaseModel):
    city: str
    population: int


async def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def client(case):
    options = {"model": case.model, "base_url": case.base, "api_key": case.key, "model_info": INFO, "max_retries": 0}
    if case.dialect == "messages":
        return AnthropicChatCompletionClient(**options)
    return OpenAIChatCompletionClient(**options, include_name_in_message=False)


def used(made):
    usage = made.total_usage()
    return [usage.prompt_tokens, usage.completion_tokens]


async def plain(case):
    made = client(case)
    reply = await made.create([UserMessage(content=PLAIN, source="user")])
    return outcome(text=reply.content, usage=used(made))


async def stream(case):
    made = client(case)
    more = {"include_usage": True} if case.dialect == "chat" else {}
    pieces = [piece async for piece in made.create_stream([UserMessage(content=PLAIN, source="user")], **more)]
    usage = pieces[-1].usage
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    # Of Messages it takes the prompt's count from the first event, which upstreams of OpenAI's form do not count.
    counts_late = case.dialect == "messages" and case.upstream == "openai"
    return outcome(text=text, usage=None if counts_late else [usage.prompt_tokens, usage.completion_tokens])


async def tools(case):
    made = client(case)
    agent = AssistantAgent("house", made, tools=[get_weather], reflect_on_tool_use=True)
    result = await agent.run(task=WEATHER)
    return outcome(text=result.messages[-1].content, usage=used(made))


async def schema(case):
    if case.dialect == "messages":
        return None
    made = client(case)
    reply = await made.create([UserMessage(content=CITY, source="user")], json_output=City)
    return outcome(value=json.loads(reply.content), usage=used(made))


async def image(case):


    picture = Image(PIL.Image.open(io.BytesIO(base64.b64decode(PNG))))
    made = client(case)
    reply = await made.create([UserMessage(content=[IMAGE, picture], source="user")])
    return outcome(text=reply.content, usage=used(made))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
    },
)
