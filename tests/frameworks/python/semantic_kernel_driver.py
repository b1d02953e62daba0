import base64
import json

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import BaseModel
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.anthropic import AnthropicChatCompletion, AnthropicChatPromptExecutionSettings
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.open_ai import (
    OpenAIChatCompletion,
    OpenAIChatPromptExecutionSettings,
    OpenAITextEmbedding,
)
from semantic_kernel.contents import ChatHistory, ChatMessageContent, ImageContent, TextContent
from semantic_kernel.functions import kernel_function

from driver import CITY, IMAGE, PLAIN, PNG, TEXTS, WEATHER, outcome, run


class City(BaseModel):
    city: str
    population: int


class Weather:
    @kernel_function
    def get_weather(self, city: str) -> str:
        """The weather in a city."""
        return f"sunny in {city}"


def service(case):
    if case.dialect == "messages":
        client = AsyncAnthropic(base_url=case.base, api_key=case.key, max_retries=0)
        return AnthropicChatCompletion(ai_model_id=case.model, api_key=case.key, async_client=client)
    client = AsyncOpenAI(base_url=case.base, api_key=case.key, max_retries=0)
    return OpenAIChatCompletion(ai_model_id=case.model, async_client=client)


def settings(case, **more):
    if case.dialect == "messages":
        return AnthropicChatPromptExecutionSettings(max_tokens=1024, **more)
    return OpenAIChatPromptExecutionSettings(**more)


def pair_of(usage):
    if hasattr(usage, "input_tokens"):
        return [usage.input_tokens, usage.output_tokens]
    return [usage.prompt_tokens or 0, usage.completion_tokens or 0]


def history(text):
    made = ChatHistory()
    made.add_user_message(text)
    return made


async def ask(case, asked, **more):
    kernel = Kernel()
    kernel.add_plugin(Weather(), "house")
    reply = await service(case).get_chat_message_content(asked, settings(case, **more), kernel=kernel)
    return reply


async def plain(case):
    reply = await ask(case, history(PLAIN))
    return outcome(text=str(reply), usage=pair_of(reply.metadata["usage"]))


async def stream(case):
    text = ""
    async for piece in service(case).get_streaming_chat_message_content(history(PLAIN), settings(case)):
        text += str(piece)
    return outcome(text=text)


async def tools(case):
    reply = await ask(case, history(WEATHER), function_choice_behavior=FunctionChoiceBehavior.Auto())
    return outcome(text=str(reply))


async def schema(case):
    if case.dialect == "messages":
        return None
    reply = await ask(case, history(CITY), response_format=City)
    return outcome(value=json.loads(str(reply)), usage=pair_of(reply.metadata["usage"]))


async def image(case):
    if case.dialect == "messages":
        return None
    picture = ImageContent(data=base64.b64decode(PNG), mime_type="image/png", data_format="base64")
    asked = ChatHistory(messages=[ChatMessageContent(role="user", items=[TextContent(text=IMAGE), picture])])
    reply = await ask(case, asked)
    return outcome(text=str(reply), usage=pair_of(reply.metadata["usage"]))


async def embeddings(case):
    if case.dialect == "messages":
        return None
    client = AsyncOpenAI(base_url=case.base, api_key=case.key, max_retries=0)
    found = await OpenAITextEmbedding(ai_model_id=case.model, async_client=client).generate_embeddings(TEXTS)
    return outcome(value=len(found))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image, "embeddings": embeddings},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
    },
)
