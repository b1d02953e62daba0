import { RequestFault } from './canonical/codec.ts'
import type { FormatName } from './canonical/format.ts'

type Names = Readonly<Record<string, string>>

/** What encoders call a field, in the one spelling that OpenAI's callers know. */
const chatNames: Names = {
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  parallelToolCalls: 'parallel_tool_calls',
  promptCacheKey: 'prompt_cache_key',
  serviceTier: 'service_tier',
  cache: 'cache_control',
  reasoning: 'reasoning_effort',
  budgetTokens: 'reasoning.max_tokens',
}

/** Fields of `generationConfig` by OpenAI's names. */
const generationConfig: Names = {
  response_format: 'responseSchema',
  stop: 'stopSequences',
  n: 'candidateCount',
  modalities: 'responseModalities',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  logprobs: 'responseLogprobs',
  reasoning_effort: 'thinkingConfig',
  'reasoning.max_tokens': 'thinkingConfig.thinkingBudget',
}

/** Fields by OpenAI's names, and what callers of the other formats call them. */
const names: Partial<Record<FormatName, Names>> = {
  'openai-responses': {
    response_format: 'text.format',
    verbosity: 'text.verbosity',
    logprobs: 'top_logprobs',
    reasoning_effort: 'reasoning',
  },
  'anthropic-messages': {
    response_format: 'output_config.format',
    stop: 'stop_sequences',
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    user: 'metadata.user_id',
    filename: 'title',
    reasoning_effort: 'thinking',
    'reasoning.max_tokens': 'thinking.budget_tokens',
  },
  gemini: Object.fromEntries(
    Object.entries(generationConfig).map(([name, own]) => [name, `generationConfig.${own}`]),
  ),
}

/** Tools of these formats stand in groups, and turns in pieces: an encoder's count of them is not the caller's. */
const tools = [/^tools\[\d+\](?= \(|\.name$|\.parameters|$)/, 'tools'] as const
const roots: Partial<Record<FormatName, readonly (readonly [RegExp, string])[]>> = {
  'openai-responses': [tools, [/^messages\[.*$/, 'input']],
  gemini: [tools, [/^messages\[.*$/, 'contents']],
}

/** What an upstream's format cannot say, told with the field's name in the caller's own format. */
export function inCallersWords(fault: RequestFault, format: string): RequestFault {
  const { param, message, code } = fault
  if (param === null) return fault
  const name = callersName(param, format)
  if (name === param) return fault
  const told = message.startsWith(param) ? name + message.slice(param.length) : `${name}: ${message}`
  return new RequestFault(told, name, code)
}

/** The name by which callers of a format know a field that an encoder names. */
export function callersName(field: string, format: string): string {
  const counted = roots[format as FormatName]?.find(([pattern]) => pattern.test(field))
  if (counted !== undefined) return field.replace(...counted)
  const known = memberOf(chatNames, field) ?? field
  return memberOf(names[format as FormatName] ?? {}, known) ?? known
}

function memberOf(table: Names, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
