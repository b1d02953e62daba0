import os

from aider.coders import Coder
from aider.io import InputOutput
from aider.models import Model

from driver import PLAIN, outcome, run

VENDORS = {"chat": "openai", "messages": "anthropic"}


def coder(case, stream):
    bases = {"chat": "OPENAI_API_BASE", "messages": "ANTHROPIC_API_BASE"}
    os.environ[bases[case.dialect]] = case.base
    os.environ[bases[case.dialect].replace("_BASE", "_KEY")] = case.key
    name = f"{VENDORS[case.dialect]}/{case.model}"
    model = Model(name, weak_model=name)
    io = InputOutput(yes=True, pretty=False, fancy_input=False)
    return Coder.create(main_model=model, io=io, edit_format="ask", stream=stream, use_git=False, map_tokens=0)


def stream(case):
    made = coder(case, stream=True)
    return outcome(text=made.run(PLAIN))


def plain(case):
    """The call as aider makes it, without the loop that waits and tries again."""
    made = coder(case, stream=False)
    messages = [{"role": "user", "content": PLAIN}]
    _, reply = made.main_model.send_completion(messages, functions=None, stream=False)
    return outcome(text=reply.choices[0].message.content, usage=[reply.usage.prompt_tokens, reply.usage.completion_tokens])


run(
    {"plain": plain, "stream": stream},
    {name: ("RateLimitError", "ContextWindowExceededError") for name in VENDORS},
)
