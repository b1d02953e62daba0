import type { CallerDialect } from './cases.ts'

/** A framework as published, and the dialects that its driver speaks to the gateway. */
export interface Framework {
  readonly name: string
  /** Lock of its packages: a file of `python/locks`, or the lock file of `js`. */
  readonly packages: { readonly python: string } | 'js'
  /** A file of `python` or `js`. */
  readonly driver: string
  readonly dialects: readonly CallerDialect[]
}

function python(name: string, driver: string, dialects: readonly CallerDialect[], lock = driver): Framework {
  return {
    name,
    packages: { python: lock.replaceAll('_', '-') },
    driver: `${driver}_driver.py`,
    dialects,
  }
}

function node(name: string, driver: string, dialects: readonly CallerDialect[]): Framework {
  return { name, packages: 'js', driver: `${driver}.mjs`, dialects }
}

export const frameworks: readonly Framework[] = [
  python('LangChain', 'langchain', ['chat', 'responses', 'messages', 'gemini']),
  python('OpenAI Agents', 'openai_agents', ['chat', 'responses']),
  python('instructor', 'instructor', ['chat', 'messages', 'gemini']),
  python('Pydantic AI', 'pydantic_ai', ['chat', 'responses', 'messages', 'gemini']),
  python('LiteLLM', 'litellm', ['chat', 'responses', 'messages', 'gemini']),
  python('DSPy', 'dspy', ['chat', 'messages', 'gemini'], 'litellm'),
  python('LlamaIndex', 'llama_index', ['chat', 'messages', 'gemini']),
  python('Haystack', 'haystack', ['chat', 'responses', 'messages', 'gemini']),
  python('Google ADK', 'google_adk', ['chat', 'gemini']),
  python('llm', 'llm', ['chat', 'messages']),
  python('Agent Framework', 'agent_framework', ['chat', 'responses', 'messages']),
  python('AutoGen', 'autogen', ['chat', 'messages']),
  python('Semantic Kernel', 'semantic_kernel', ['chat', 'messages']),
  python('CrewAI', 'crewai', ['chat', 'messages', 'gemini']),
  python('Agno', 'agno', ['chat', 'responses', 'messages', 'gemini']),
  python('Strands', 'strands', ['chat', 'messages', 'gemini']),
  python('aider', 'aider', ['chat', 'messages']),
  node('LangChain.js', 'langchain', ['chat', 'responses', 'messages', 'gemini']),
  node('OpenAI Agents (JS)', 'openai-agents', ['chat', 'responses']),
  node('Mastra', 'mastra', ['chat', 'responses', 'messages', 'gemini']),
  node('Genkit', 'genkit', ['chat', 'messages', 'gemini']),
]
