import base64

import llm
from llm.default_plugins.openai_models import Chat
from llm_anthropic import ClaudeMessages
from pydantic import BaseModel
import json

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run


class City(BaseModel):
    city: str
    population: int


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case):
    if case.dialect == "messages":
        made = ClaudeMessages(case.model, use_structured_outputs=True, base_url=case.base)
    else:
        made = Chat(
            case.model,
            model_name=case.model,
            api_base=case.base,
            vision=True,
            supports_schema=True,
            supports_tools=True,
        )
    made.key = case.key
    return made


def used(*responses):
    usages = [response.usage() for response in responses]
    return [sum(usage.input for usage in usages), sum(usage.output for usage in usages)]


def plain(case):
    response = model(case).prompt(PLAIN, key=case.key, stream=False)
    return outcome(text=response.text(), usage=used(response))


def stream(case):
    response = model(case).prompt(PLAIN, key=case.key, stream=True)
    return outcome(text="".join(response), usage=used(response))


def tools(case):
    chain = model(case).chain(WEATHER, key=case.key, tools=[get_weather], stream=False)
    text = chain.text()
    return outcome(text=text, usage=used(*chain._responses))


def schema(case):
    response = model(case).prompt(CITY, key=case.key, schema=City, stream=False)
    return outcome(value=json.loads(response.text()), usage=used(response))


def image(case):
    picture = llm.Attachment(content=base64.b64decode(PNG), type="image/png")
    response = model(case).prompt(IMAGE, key=case.key, attachments=[picture], stream=False)
    return outcome(text=response.text(), usage=used(response))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
    },
)
