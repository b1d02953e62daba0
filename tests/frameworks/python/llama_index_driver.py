import base64

from llama_index.core.llms import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.google_genai import GoogleGenAIEmbedding
from llama_index.embeddings.openai import OpenAIEmbedding
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.google_genai import GoogleGenAI
from llama_index.llms.openai import OpenAI
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, TEXTS, WEATHER, outcome, run


class City(BaseModel):
    """A city."""

    city: str
    population: int


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case):
    if case.dialect == "messages":
        return Anthropic(model=case.model, base_url=case.base, api_key=case.key, max_retries=0, max_tokens=2048)
    if case.dialect == "gemini":
        return GoogleGenAI(model=case.model, api_key=case.key, http_options={"base_url": case.base}, max_retries=0, max_tokens=2048)
    return OpenAI(model=case.model, api_base=case.base, api_key=case.key, max_retries=0)


def used(*replies):
    """Of the raw responses, where LlamaIndex leaves the counts."""
    pairs = [pair_of(reply.raw) for reply in replies]
    return None if None in pairs else [sum(numbers) for numbers in zip(*pairs)]


def pair_of(raw):
    raw = raw if isinstance(raw, dict) else raw.__dict__
    usage = raw.get("usage") or raw.get("usage_metadata")
    if usage is None:
        return None
    usage = usage if isinstance(usage, dict) else usage.__dict__
    names = [
        ("prompt_tokens", "completion_tokens"),
        ("input_tokens", "output_tokens"),
        ("prompt_token_count", "candidates_token_count"),
    ]
    return next(([usage[a], usage[b]] for a, b in names if usage.get(a) is not None), None)


def chat(case, *messages):
    return model(case).chat(list(messages))


def plain(case):
    reply = chat(case, ChatMessage(PLAIN, role="user"))
    return outcome(text=reply.message.content, usage=used(reply))


def stream(case):
    text = "".join(chunk.delta or "" for chunk in model(case).stream_chat([ChatMessage(PLAIN, role="user")]))
    return outcome(text=text)


def tools(case):
    llm = model(case)
    tool = FunctionTool.from_defaults(get_weather)
    asked = ChatMessage(WEATHER, role="user")
    parallel = {} if case.dialect == "gemini" else {"allow_parallel_tool_calls": True}
    first = llm.chat_with_tools([tool], chat_history=[asked], **parallel)
    calls = llm.get_tool_calls_from_response(first)
    results = [
        ChatMessage(
            role="tool",
            content=str(tool(**call.tool_kwargs)),
            additional_kwargs={"tool_call_id": call.tool_id, "name": call.tool_name},
        )
        for call in calls
    ]
    last = llm.chat_with_tools([tool], chat_history=[asked, first.message, *results])
    return outcome(text=last.message.content, usage=used(first, last))


def schema(case):
    found = model(case).as_structured_llm(City).chat([ChatMessage(CITY, role="user")])
    return outcome(value=found.raw.model_dump())


def image(case):
    blocks = [TextBlock(text=IMAGE), ImageBlock(image=base64.b64decode(PNG), image_mimetype="image/png")]
    reply = chat(case, ChatMessage(blocks=blocks, role="user"))
    return outcome(text=reply.message.content, usage=used(reply))


def embeddings(case):
    if case.dialect == "gemini":
        embedder = GoogleGenAIEmbedding(model_name=case.model, api_key=case.key, http_options={"base_url": case.base})
    else:
        embedder = OpenAIEmbedding(model_name=case.model, api_base=case.base, api_key=case.key, max_retries=0)
    return outcome(value=len(embedder.get_text_embedding_batch(TEXTS)))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image, "embeddings": embeddings},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
        "gemini": ("ClientError:429", "ClientError:token count"),
    },
)
