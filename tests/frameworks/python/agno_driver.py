import base64

from agno.agent import Agent
from agno.knowledge.embedder.openai import OpenAIEmbedder
from agno.media import Image
from agno.models.anthropic import Claude
from agno.models.google import Gemini
from agno.models.openai import OpenAIChat, OpenAIResponses
from google import genai
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, TEXTS, WEATHER, outcome, run


class City(BaseModel):
    city: str
    population: int


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case, **more):
    if case.dialect == "messages":
        return Claude(id=case.model, api_key=case.key, client_params={"base_url": case.base, "max_retries": 0}, **more)
    if case.dialect == "gemini":
        client = genai.Client(api_key=case.key, http_options={"base_url": case.base})
        return Gemini(id=case.model, client=client, **more)
    kind = OpenAIResponses if case.dialect == "responses" else OpenAIChat
    return kind(id=case.model, api_key=case.key, base_url=case.base, max_retries=0, **more)


def agent(case, settings=None, **more):
    return Agent(model=model(case, **(settings or {})), telemetry=False, **more)


def ask(case, text, images=None, **more):
    reply = agent(case, **more).run(text, images=images)
    if reply.status == "ERROR":
        raise RuntimeError(reply.content)
    return reply


def used(reply):
    return [reply.metrics.input_tokens, reply.metrics.output_tokens]


def plain(case):
    reply = agent(case).model.response(messages=[message(PLAIN)])
    return outcome(text=reply.content, usage=used_by(reply))


def message(text):
    from agno.models.message import Message

    return Message(role="user", content=text)


def used_by(reply):
    usage = reply.response_usage
    return None if usage is None else [usage.input_tokens, usage.output_tokens]


def stream(case):
    text, usage = "", None
    for event in agent(case).run(PLAIN, stream=True, stream_events=True):
        if event.event == "RunContent":
            text += event.content or ""
        if event.event == "RunCompleted":
            usage = used(event)
    return outcome(text=text, usage=usage)


def tools(case):
    reply = ask(case, WEATHER, tools=[get_weather])
    return outcome(text=reply.content, usage=used(reply))


def schema(case):
    reply = ask(case, CITY, output_schema=City)
    return outcome(value=reply.content.model_dump(), usage=used(reply))


def image(case):
    reply = ask(case, IMAGE, images=[Image(content=base64.b64decode(PNG), format="png", mime_type="image/png")])
    return outcome(text=reply.content, usage=used(reply))


def reasoning(case):
    settings = {
        "chat": {"reasoning_effort": "low"},
        "responses": {"reasoning_effort": "low", "reasoning_summary": "auto"},
        "messages": {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2048},
        "gemini": {"thinking_budget": 1024, "include_thoughts": True},
    }[case.dialect]
    reply = ask(case, PLAIN, settings=settings)
    return outcome(text=reply.content, reasoning=reply.reasoning_content, usage=used(reply))


def embeddings(case):
    if case.dialect != "chat":
        return None
    embedder = OpenAIEmbedder(id=case.model, api_key=case.key, base_url=case.base)
    found = [embedder.get_embedding_and_usage(text) for text in TEXTS]
    return outcome(value=len([vector for vector, _ in found if vector]), usage=[sum(usage["prompt_tokens"] for _, usage in found), 0])


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
    {name: ("ModelRateLimitError", "ContextWindowExceededError") for name in ("chat", "responses", "messages", "gemini")},
)
