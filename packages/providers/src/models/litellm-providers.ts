/** LiteLLM's names of providers, and the channel types that speak to them. */
const types: Readonly<Record<string, number>> = {
  openai: 1,
  'text-completion-openai': 1,
  custom_openai: 1,
  openai_like: 1,
  litellm_proxy: 1,
  azure: 3,
  azure_text: 3,
  ollama: 4,
  ollama_chat: 4,
  anthropic: 14,
  dashscope: 17,
  openrouter: 20,
  gemini: 24,
  moonshot: 25,
  zai: 26,
  perplexity: 27,
  bedrock: 33,
  bedrock_converse: 33,
  cohere: 34,
  cohere_chat: 34,
  minimax: 35,
  jina_ai: 38,
  vertex_ai: 41,
  vertex_ai_beta: 41,
  mistral: 42,
  deepseek: 43,
  volcengine: 45,
  xinference: 47,
  xai: 48,
  replicate: 56,
  groq: 1000,
  together_ai: 1001,
  fireworks_ai: 1002,
  cerebras: 1003,
  nvidia_nim: 1004,
  huggingface: 1005,
  hosted_vllm: 1006,
  vllm: 1006,
  lm_studio: 1007,
  azure_ai: 1008,
  deepinfra: 1009,
  sambanova: 1010,
  novita: 1011,
  hyperbolic: 1012,
  nebius: 1013,
  voyage: 1016,
}

/** Servers that need no key. */
const keyless: ReadonlySet<number> = new Set([4, 47, 1006, 1007])

/** Names without a provider in front. */
const standard: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e|tts-|whisper|davinci|babbage)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^command-/, 'cohere_chat'],
]

/** A provider by LiteLLM's name for it, and what serves it here. */
export interface LiteLlmProvider {
  readonly name: string
  readonly type: number
  /** The model's name at the provider. */
  readonly model: string
  readonly needsKey: boolean
}

/** Finds the provider that serves `model` (`azure/gpt-4o`, `gpt-4o`); returns a text for one that is not known here. */
export function liteLlmProviderOf(model: string, named: string | undefined): LiteLlmProvider | string {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? '' : model.slice(0, slash)
  const name =
    named || (Object.hasOwn(types, prefix) ? prefix : standard.find(([form]) => form.test(model))?.[1])
  const type = name === undefined ? undefined : types[name]
  if (name === undefined || type === undefined) return name ?? (prefix || model)
  return {
    name,
    type,
    model: prefix === name ? model.slice(slash + 1) : model,
    needsKey: !keyless.has(type),
  }
}
