import base64
import json
import os

import litellm
from google.adk.agents import LlmAgent, RunConfig
from google.adk.agents.run_config import StreamingMode
from google.adk.models.google_llm import Gemini
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run

litellm.suppress_debug_info = True


class EventError(Exception):
    """A failed call, which a runner tells as an event with a code."""


class City(BaseModel):
    city: str
    population: int


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case):
    if case.dialect == "gemini":
        os.environ["GOOGLE_API_KEY"] = case.key
        return Gemini(model=case.model, base_url=case.base)
    return LiteLlm(model=f"openai/{case.model}", api_base=case.base, api_key=case.key, num_retries=0, max_retries=0)


async def play(case, parts, streams=False, **more):
    agent = LlmAgent(name="house", model=model(case), **more)
    runner = InMemoryRunner(agent=agent, app_name="house")
    session = await runner.session_service.create_session(app_name="house", user_id="u")
    config = RunConfig(streaming_mode=StreamingMode.SSE if streams else StreamingMode.NONE)
    message = types.Content(role="user", parts=parts)
    said = {"text": "", "pieces": "", "thoughts": "", "usage": [0, 0]}
    async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message, run_config=config):
        if event.error_code:
            raise EventError(f"{event.error_code} {event.error_message}")
        for part in (event.content and event.content.parts) or []:
            if part.thought and not event.partial:
                said["thoughts"] += part.text or ""
            elif part.text and not part.thought:
                said["pieces" if event.partial else "text"] += part.text
        if event.usage_metadata and not event.partial:
            usage = event.usage_metadata
            said["usage"][0] += usage.prompt_token_count or 0
            said["usage"][1] += (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return said


def text_part(text):
    return types.Part(text=text)


async def plain(case):
    said = await play(case, [text_part(PLAIN)])
    return outcome(text=said["text"], usage=said["usage"])


async def stream(case):
    said = await play(case, [text_part(PLAIN)], streams=True)
    return outcome(text=said["pieces"], usage=said["usage"])


async def tools(case):
    said = await play(case, [text_part(WEATHER)], tools=[get_weather])
    return outcome(text=said["text"], usage=said["usage"])


async def schema(case):
    said = await play(case, [text_part(CITY)], output_schema=City)
    return outcome(value=json.loads(said["text"]), usage=said["usage"])


async def image(case):
    picture = types.Part(inline_data=types.Blob(data=base64.b64decode(PNG), mime_type="image/png"))
    said = await play(case, [text_part(IMAGE), picture])
    return outcome(text=said["text"], usage=said["usage"])


async def reasoning(case):
    if case.dialect != "gemini":
        return None
    config = types.GenerateContentConfig(
        thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=1024)
    )
    said = await play(case, [text_part(PLAIN)], generate_content_config=config)
    return outcome(text=said["text"], reasoning=said["thoughts"], usage=said["usage"])


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image, "reasoning": reasoning},
    {
        "chat": ("EventError:RateLimitError", "EventError:ContextWindowExceededError"),
        "gemini": ("EventError:RESOURCE_EXHAUSTED", "EventError:token count"),
    },
)
