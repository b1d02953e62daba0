from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool
from agents import set_tracing_disabled
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent
from openai.types.shared import Reasoning
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, WEATHER, outcome, run

set_tracing_disabled(True)


class City(BaseModel):
    city: str
    population: int


@function_tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def agent(case, **more):
    client = AsyncOpenAI(base_url=case.base, api_key=case.key, max_retries=0)
    kind = OpenAIResponsesModel if case.dialect == "responses" else OpenAIChatCompletionsModel
    settings = more.pop("model_settings", ModelSettings(include_usage=True))
    return Agent(name="house", model=kind(case.model, client), model_settings=settings, **more)


def used(result):
    usage = result.context_wrapper.usage
    return [usage.input_tokens, usage.output_tokens]


async def plain(case):
    result = await Runner.run(agent(case), PLAIN)
    return outcome(text=result.final_output, usage=used(result))


async def stream(case):
    result = Runner.run_streamed(agent(case), PLAIN)
    text = ""
    async for event in result.stream_events():
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            text += event.data.delta
    return outcome(text=text, usage=used(result))


async def tools(case):
    result = await Runner.run(agent(case, tools=[get_weather]), WEATHER)
    return outcome(text=result.final_output, usage=used(result))


async def schema(case):
    result = await Runner.run(agent(case, output_type=City), CITY)
    return outcome(value=result.final_output.model_dump(), usage=used(result))


async def image(case):
    parts = [
        {"type": "input_text", "text": IMAGE},
        {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PNG}"},
    ]
    result = await Runner.run(agent(case), [{"role": "user", "content": parts}])
    return outcome(text=result.final_output, usage=used(result))


async def reasoning(case):
    settings = ModelSettings(reasoning=Reasoning(effort="low", summary="auto"), include_usage=True)
    result = await Runner.run(agent(case, model_settings=settings), PLAIN)
    items = [item for response in result.raw_responses for item in response.output if item.type == "reasoning"]
    thoughts = [part.text for item in items for part in item.summary]
    return outcome(text=result.final_output, reasoning="".join(thoughts), usage=used(result))


run(
    {"plain": plain, "stream": stream, "tools": tools, "schema": schema, "image": image, "reasoning": reasoning},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "responses": ("RateLimitError", "BadRequestError:context_length_exceeded"),
    },
)
