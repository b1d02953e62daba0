/** One call as the upstream saw it. Times are on the clock of `performance.now()`. */
export interface UpstreamCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Body as received; `json` is what it parses to, an empty object when it does not. */
  readonly body: string
  readonly json: Readonly<Record<string, unknown>>
  readonly model: string
  readonly isStream: boolean
  readonly receivedAt: number
  /** Stream events with content that were handed to the socket. */
  readonly eventsSent: number
  /** Time when the response was complete. */
  readonly endedAt: number | undefined
  /** Time when the other side hung up before the response was complete. */
  readonly abortedAt: number | undefined
}

export interface Prompt {
  readonly kind: 'chat' | 'completion' | 'embedding'
  readonly wantsUsage: boolean
  /** Number of vectors that an embedding call requests. */
  readonly inputs: number
}

export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
}

export interface Reply {
  /** Complete text of the response. */
  readonly text?: string
  /** Number of stream events for the text; by default one for each word. */
  readonly events?: number
  /** Pause before the first byte. */
  readonly delayMs?: number
  /** Pause before each stream event. */
  readonly eventDelayMs?: number
  /** `none`: the upstream never reports usage, not even on request. */
  readonly usage?: Usage | 'none'
  readonly finishReason?: string
  readonly headers?: Readonly<Record<string, string>>
}

const defaultUsage: Usage = { promptTokens: 10, completionTokens: 5 }

/** Returns the prompt of a call. */
export function prompted({ path, json }: UpstreamCall): Prompt {
  const options = json.stream_options as { include_usage?: boolean } | undefined
  return {
    kind: kindOf(path),
    wantsUsage: options?.include_usage === true,
    inputs: Array.isArray(json.input) ? json.input.length : 1,
  }
}

function kindOf(path: string): Prompt['kind'] {
  if (path.endsWith('/embeddings')) return 'embedding'
  return path.endsWith('/chat/completions') ? 'chat' : 'completion'
}

/** The body of `GET /v1/models`. */
export function modelList(ids: readonly string[]): object {
  const data = ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'upstream' }))
  return { object: 'list', data }
}

/** The response in one piece. */
export function completeReply(call: UpstreamCall, prompt: Prompt, reply: Reply): object {
  const usage = reply.usage === 'none' ? {} : { usage: wireUsage(reply.usage) }
  if (prompt.kind === 'embedding') return embeddings(call, prompt.inputs, usage)
  const text = reply.text ?? defaultText
  const reason = { index: 0, logprobs: null, finish_reason: reply.finishReason ?? 'stop' }
  const choice =
    prompt.kind === 'chat'
      ? { ...reason, message: { role: 'assistant', content: text } }
      : { ...reason, text }
  const object = prompt.kind === 'chat' ? 'chat.completion' : 'text_completion'
  return { ...identity(call), object, choices: [choice], ...usage }
}

function embeddings({ model, json }: UpstreamCall, inputs: number, usage: object): object {
  const vectors = Array.from({ length: inputs }, (_, index) => [0.25, -0.5, index])
  // The official SDK asks for base64 unless its user says otherwise.
  const encode = json.encoding_format === 'base64' ? asBase64 : (vector: readonly number[]) => vector
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) }))
  return { object: 'list', data, model, ...usage }
}

function asBase64(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64')
}

const defaultText = 'The till rings once.'

/** The text in the pieces it is streamed in. */
export function piecesOf({ text = defaultText, events }: Reply): readonly string[] {
  const words = text.match(/\S+\s*/g) ?? []
  if (events === undefined) return words
  return Array.from({ length: events }, (_, index) => words[index % words.length] ?? 'word ')
}

/** One stream event before it is framed. */
export function chunk(call: UpstreamCall, prompt: Prompt, choices: readonly object[]): object {
  const object = prompt.kind === 'chat' ? 'chat.completion.chunk' : 'text_completion'
  return { ...identity(call), object, choices }
}

function identity({ model, receivedAt }: UpstreamCall): object {
  return { id: `chatcmpl-${Math.round(receivedAt * 1000)}`, created: 1_700_000_000, model }
}

/** Token counts as the protocol spells them. */
export function wireUsage({
  promptTokens,
  completionTokens,
  cachedTokens,
  reasoningTokens,
}: Usage = defaultUsage): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}

/** A server-sent event. */
export function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
