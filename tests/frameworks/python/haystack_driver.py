import os

from haystack.components.embedders import OpenAIDocumentEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage, Document, ImageContent
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator
from haystack_integrations.components.generators.google_genai import GoogleGenAIChatGenerator
from pydantic import BaseModel
import json

from driver import CITY, IMAGE, PLAIN, PNG, TEXTS, WEATHER, outcome, run


class City(BaseModel):
    city: str
    population: int


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def generator(case, streaming_callback=None, **settings):
    key = Secret.from_token(case.key)
    common = {"model": case.model, "api_key": key, "streaming_callback": streaming_callback}
    if case.dialect == "messages":
        os.environ["ANTHROPIC_BASE_URL"] = case.base
        return AnthropicChatGenerator(**common, max_retries=0, generation_kwargs={"max_tokens": 2048, **settings})
    if case.dialect == "gemini":
        os.environ["GOOGLE_GEMINI_BASE_URL"] = case.base
        return GoogleGenAIChatGenerator(**common, max_retries=0, generation_kwargs=settings)
    kind = OpenAIResponsesChatGenerator if case.dialect == "responses" else OpenAIChatGenerator
    return kind(**common, api_base_url=case.base, max_retries=0, generation_kwargs=settings)


def ask(case, *messages, **more):
    [reply] = generator(case, **more).run(list(messages))["replies"]
    return reply


def used(*replies):
    usages = [reply.meta["usage"] for reply in replies]
    pairs = [
        [usage.get("prompt_tokens", usage.get("input_tokens")), usage.get("completion_tokens", usage.get("output_tokens"))]
        for usage in usages
    ]
    return [sum(numbers) for numbers in zip(*pairs)]


def plain(case):
    reply = ask(case, ChatMessage.from_user(PLAIN))
    return outcome(text=reply.text, usage=used(reply))


def stream(case):
    pieces = []
    more = {"stream_options": {"include_usage": True}} if case.dialect == "chat" else {}
    reply = ask(case, ChatMessage.from_user(PLAIN), streaming_callback=lambda chunk: pieces.append(chunk.content), **more)
    return outcome(text="".join(pieces), usage=used(reply))


def tools(case):
    # Behind a signed call of Gemini's it sends back no other call of the turn, at Google's own address as well.
    if case.dialect == "gemini" and case.upstream == "gemini":
        return None
    tool = create_tool_from_function(get_weather)
    llm = generator(case)
    asked = ChatMessage.from_user(WEATHER)
    [first] = llm.run([asked], tools=[tool])["replies"]
    results = [ChatMessage.from_tool(tool.invoke(**call.arguments), origin=call) for call in first.tool_calls]
    [last] = llm.run([asked, first, *results], tools=[tool])["replies"]
    return outcome(text=last.text, usage=used(first, last))


def schema(case):
    settings = {"chat": {"response_format": City}, "responses": {"text_format": City}}.get(case.dialect)
    if settings is None:
        return None
    reply = ask(case, ChatMessage.from_user(CITY), **settings)
    return outcome(value=json.loads(reply.text), usage=used(reply))


def image(case):
    picture = ImageContent(base64_image=PNG, mime_type="image/png")
    reply = ask(case, ChatMessage.from_user(content_parts=[IMAGE, picture]))
    return outcome(text=reply.text, usage=used(reply))


def reasoning(case):
    """Two turns: what was thought in the first one goes back in the second one."""
    settings = {
        "responses": {"reasoning": {"effort": "low", "summary": "auto"}},
        "messages": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        "gemini": {"thinking_budget": 1024},
    }.get(case.dialect)
    if settings is None:
        return None
    llm = generator(case, **settings)
    asked = ChatMessage.from_user(PLAIN)
    [first] = llm.run([asked])["replies"]
    [last] = llm.run([asked, first, asked])["replies"]
    return outcome(text=last.text, reasoning=first.reasoning and first.reasoning.reasoning_text, usage=used(first, last))


def embeddings(case):
    if case.dialect != "chat":
        return None
    embedder = OpenAIDocumentEmbedder(
        model=case.model, api_base_url=case.base, api_key=Secret.from_token(case.key), max_retries=0, progress_bar=False
    )
    found = embedder.run([Document(content=text) for text in TEXTS])
    return outcome(value=len(found["documents"]), usage=[found["meta"]["usage"]["prompt_tokens"], 0])


run(
    {
        "plain": plain,
        "stream": stream,
        "tools": tools,
        "schema": schema,
        "image": image,
        "reasoning": reasoning,
        "embeddings": embeddings,
    },
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "responses": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
        "gemini": ("ClientError:429", "ClientError:token count"),
    },
)
