/** Counts that an upstream names when a call exceeds a limit, in tokens. */
export interface TokenCounts {
  /** Tokens of the prompt; absent where the upstream names only the sum. */
  readonly prompt?: number
  /** Output that the call asked for. */
  readonly output?: number
  /** Sum of the call, where the upstream names a sum; else absent. */
  readonly total?: number
  /** Tokens that the model takes, or writes at most. */
  readonly max?: number
}

const number = String.raw`([\d,]+)`

/**
 * Patterns of counts in upstreams' messages, most specific first. The names behind a pattern say what its groups are.
 * The vendors of each form are in `forms/overflow-forms.ts`.
 */
const counted: readonly (readonly [RegExp, readonly (keyof TokenCounts)[]])[] = [
  // OpenAI, DeepSeek, vLLM, OpenRouter: sum, and its parts in parentheses
  [
    pattern(
      `maximum context length (?:is|of) ${number} tokens.{0,60}?requested (?:about |a total of )?${number} tokens[ :.(]*${number} (?:in|of|tokens from) (?:the )?(?:messages|prompt|text input|input messages|input).{0,60}?[ ,]${number} (?:in|tokens for) the (?:completion|output)`,
    ),
    ['max', 'total', 'prompt', 'output'],
  ],
  // SGLang: the same over two sentences
  [
    pattern(
      `context length of ${number} tokens.{0,40}?a total of ${number} tokens: ${number} tokens from.{0,30}?and ${number} tokens for`,
    ),
    ['max', 'total', 'prompt', 'output'],
  ],
  // vLLM: output first
  [
    pattern(
      `maximum context length is ${number} tokens.{0,40}?requested ${number} output tokens.{0,60}?at least ${number} input tokens`,
    ),
    ['max', 'output', 'prompt'],
  ],
  [
    pattern(
      `is too large: ${number}.{0,40}?maximum context length is ${number} tokens.{0,40}?request has ${number} input tokens`,
    ),
    ['output', 'max', 'prompt'],
  ],
  [
    pattern(
      `maximum context length is ${number} tokens.{0,60}?(?:resulted in|request has|contains|requested(?: about)?) ${number}`,
    ),
    ['max', 'prompt'],
  ],
  // OpenAI and Azure for gpt-5
  [pattern(`configured limit of ${number} tokens.{0,40}?resulted in ${number}`), ['max', 'prompt']],
  // Anthropic
  [pattern(`prompt is too long: ${number} tokens > ${number} maximum`), ['prompt', 'max']],
  [pattern(`exceed context limit: ${number} \\+ ${number} > ${number}`), ['prompt', 'output', 'max']],
  // Fireworks
  [pattern(`prompt is too long: ${number}, model maximum context length: ${number}`), ['prompt', 'max']],
  // Gemini, Vertex
  [pattern(`input token count \\(${number}\\) exceeds .{0,60}?\\(${number}\\)`), ['prompt', 'max']],
  [pattern(`input token count is ${number} but model only supports up to ${number}`), ['prompt', 'max']],
  [pattern(`input token count exceeds the maximum number of tokens allowed \\(?${number}`), ['max']],
  // Moonshot
  [pattern(`model token limit: ${number} \\(requested: ${number}\\)`), ['max', 'prompt']],
  [pattern(`model token limit: ${number}`), ['max']],
  // Ali
  [pattern(`range of input length should be \\[\\d+, ?${number}\\]`), ['max']],
  // SiliconFlow
  [pattern(`prompt_tokens \\(${number}\\).{0,40}?max_seq_len \\(${number}\\)`), ['prompt', 'max']],
  [pattern(`max_total_tokens \\(${number}\\).{0,40}?max_seq_len \\(${number}\\)`), ['total', 'max']],
  // Volcengine
  [pattern(`input length ${number} exceeds the maximum length ${number}`), ['prompt', 'max']],
  // xAI
  [pattern(`maximum prompt length is ${number} but the request contains ${number}`), ['max', 'prompt']],
  // Cerebras
  [pattern(`current length is ${number} while limit is ${number}`), ['prompt', 'max']],
  // Mistral
  [pattern(`prompt contains ${number} tokens.{0,60}?model with ${number} maximum`), ['prompt', 'max']],
  // text-generation-inference
  [
    pattern(`must be <= ${number}\\. given: ${number} .?inputs.? tokens and ${number}`),
    ['max', 'prompt', 'output'],
  ],
  [pattern(`must have less than ${number} tokens\\. given: ${number}`), ['max', 'prompt']],
  // vLLM, SGLang
  [
    pattern(`prompt \\(length ${number}\\) is longer than the maximum model length of ${number}`),
    ['prompt', 'max'],
  ],
  [
    pattern(`\\(${number} tokens\\).{0,60}?(?:context length|allowed length) \\(${number} tokens\\)`),
    ['prompt', 'max'],
  ],
  // llama.cpp
  [
    pattern(`request \\(${number} tokens\\) exceeds the available context size \\(${number}`),
    ['prompt', 'max'],
  ],
  // LM Studio
  [pattern(`keep the first ${number} tokens.{0,80}?context length of only ${number}`), ['prompt', 'max']],
  // Cohere
  [pattern(`cannot exceed ${number} - received ${number}`), ['max', 'total']],
  [pattern(`limit for this model is ${number} tokens`), ['max']],
  // Bedrock: Titan
  [pattern(`max input tokens: ${number}, request input token count: ${number}`), ['max', 'prompt']],
  // Cloudflare
  [
    pattern(`tokens \\(${number}\\) exceeded this model context window limit \\(${number}\\)`),
    ['total', 'max'],
  ],
  // GitHub Copilot
  [pattern(`prompt token count of ${number} exceeds the limit of ${number}`), ['prompt', 'max']],
  // Output limits: OpenAI, Anthropic, Gemini, DeepSeek and Ali, Groq
  [pattern(`is too large: ${number}\\..{0,40}?at most ${number} completion tokens`), ['output', 'max']],
  [pattern(`max_tokens: ${number} > ${number}`), ['output', 'max']],
  [
    pattern(
      `output_?tokens value of ${number} but the supported range is from 1 \\(inclusive\\) to ${number}`,
    ),
    ['output', 'max'],
  ],
  [pattern(`max_(?:completion_)?tokens (?:is|should be) \\[\\d+, ?${number}\\]`), ['max']],
  [pattern(`must be less than or equal to .?${number}`), ['max']],
  [pattern(`model limit of ${number}`), ['max']],
  [pattern(`maximum context length (?:is|of) ${number}`), ['max']],
]

function pattern(source: string): RegExp {
  return new RegExp(source, 'is')
}

/** The counts in an upstream's words; `undefined` when there are none. */
export function tokenCountsIn(message: string): TokenCounts | undefined {
  for (const [form, names] of counted) {
    const found = form.exec(message)
    if (found !== null) return Object.fromEntries(names.map((name, at) => [name, readCount(found[at + 1])]))
  }
  return undefined
}

/** Smaller numbers are places, statuses and versions. */
const minCount = 500

/**
 * The counts of an overflow in words of no known form: of two numbers beside "tokens" the greater is what the call has, the other
 * what the model takes.
 */
export function plainCountsIn(message: string): TokenCounts | undefined {
  if (!/\btokens?\b/i.test(message)) return undefined
  const numbers = [...message.matchAll(/(?<![\w.-])\d[\d,]{2,9}(?![\w-])/g)].map(([text]) => readCount(text))
  const [first, second, ...more] = [...new Set(numbers)].filter((count) => count >= minCount)
  if (first === undefined || second === undefined || more.length > 0) return undefined
  return { prompt: Math.max(first, second), max: Math.min(first, second) }
}

function readCount(text = ''): number {
  return Number(text.replaceAll(',', ''))
}

/** The tokens of the whole call, as far as they are known. */
export function totalOf({ prompt, output, total }: TokenCounts): number | undefined {
  if (total !== undefined) return total
  return prompt === undefined ? undefined : prompt + (output ?? 0)
}
