import type { Json } from '../support/agents/agent.ts'
import type { AgentRequest } from '../support/dialects/agent-requests.ts'
import { dialectCalls } from '../support/dialects/dialect-calls.ts'
import { type Chunking, chunkings, numbersFrom } from '../support/recordings/chunkings.ts'
import type { Exchange } from '../support/recordings/exchanges.ts'
import { aliasOf, type Reply } from '../support/recordings/replayed-gateway.ts'
import { requestFor } from '../support/recordings/requests.ts'
import type { RecordedVendor } from '../support/recordings/vendors.ts'

/** A call of a caller and the reply of its vendor: a variation of a recorded exchange. */
export interface GeneratedCall {
  /** Everything that makes it again. */
  readonly name: string
  readonly request: AgentRequest
  readonly vendor: RecordedVendor
  readonly reply: Reply
  readonly chunking: Chunking
  readonly isAnnounced: boolean
}

/** Returns the call of this number: the same for the same seed. */
export function generatedCall(exchanges: readonly Exchange[], seed: number, number: number): GeneratedCall {
  const pick = picker(numbersFrom(Math.imul(seed, 0x9e3779b1) + number))
  const exchange = pick(exchanges)
  const reply = variedReply(exchange, pick)
  const { request, says } = variedRequest(exchange, pick)
  const chunking = pick(Object.keys(chunkings) as Chunking[])
  const isAnnounced = pick([true, false])
  const name = `${number}: ${exchange.name}, ${says}, ${reply.says}, ${chunking}, ${isAnnounced ? 'announced' : 'in chunks'}`
  const { name: recording, isStream, status } = exchange
  const { frames } = reply
  const { vendor } = exchange
  return {
    name,
    request,
    vendor,
    reply: { name: recording, isStream, status, frames },
    chunking,
    isAnnounced,
  }
}

type Pick = <Value>(values: readonly Value[]) => Value

function picker(random: () => number): Pick {
  return (values) => values[Math.floor(random() * values.length)] as (typeof values)[number]
}

interface Variation {
  /** Variation in words. */
  readonly says: string
}

/** Texts that a conversation is filled up with; bytes, characters and escapes differ in number. */
const fillings = {
  words: 'The quick brown fox jumps over the lazy dog. ',
  code: 'if (a == "b") {\n\treturn \'\\d+\';\n}\r\n',
  characters: '列出文件 — Größe 😀 ',
} as const
/** Bytes by which a request or a response grows; long ones are rare, as they are among callers. */
const sizes = [0, 0, 0, 0, 0, 0, 500, 500, 3000, 3000, 10_000, 40_000, 70_000, 200_000, 600_000, 1_200_000]
/** Numbers of messages that they come in. */
const counts = [1, 1, 2, 40, 300]
const limits = [undefined, undefined, undefined, 1, 16, 500, 8000]

function variedRequest(exchange: Exchange, pick: Pick): Variation & { readonly request: AgentRequest } {
  const model = pick([exchange.model, exchange.model, aliasOf(exchange.model)])
  const { request, format } = pick([own, own, own, foreign])(exchange, model, pick)
  const kind = pick(Object.keys(fillings) as (keyof typeof fillings)[])
  const size = pick(sizes)
  const count = pick(counts)
  const limit = pick(limits)
  const body = JSON.parse(request.body) as Json
  const filled = filledUp[format](body, texts(fillings[kind], size, count))
  const edited = limit === undefined ? filled : limited(format, filled, limit)
  const says = `${format} as ${model}, ${size} bytes of ${kind} in ${count}, limit ${limit ?? 'none'}`
  // Members stay as they were written where nothing is edited: numbers that a parser would change, and repeated keys.
  const isEdited = size > 0 || limit !== undefined
  return { request: isEdited ? { ...request, body: JSON.stringify(edited) } : request, says }
}

function texts(filling: string, size: number, count: number): readonly string[] {
  if (size === 0) return []
  const bytes = Math.max(1, Math.floor(size / count))
  const text = filling.repeat(Math.ceil(bytes / filling.length)).slice(0, bytes)
  return Array.from({ length: count }, () => text)
}

type Format = Exchange['vendor']['format']
type CallerRequest = { readonly request: AgentRequest; readonly format: Format }

function own(exchange: Exchange, model: string, pick: Pick): CallerRequest {
  const request = requestFor(exchange, { model, includeUsage: exchange.isStream && pick([true, false]) })
  return { request, format: exchange.vendor.format }
}

const formatOf = { openai: 'chat', responses: 'responses', anthropic: 'messages', gemini: 'gemini' } as const

/** Asks in any format of chat. */
function foreign(exchange: Exchange, model: string, pick: Pick): CallerRequest {
  const { name, path, body } = pick(dialectCalls)
  const { isStream } = exchange
  const headers = { 'content-type': 'application/json' }
  const request = { path: path(model, isStream), headers, body: JSON.stringify(body(model, isStream)) }
  return { request, format: formatOf[name] }
}

type Fill = (body: Json, texts: readonly string[]) => Json

/** Puts turns of a text alone before the others, user and model in turn. */
const turnsIn =
  (member: string, turn: (role: string, text: string) => object, model = 'assistant'): Fill =>
  (body, texts) => {
    const before = texts.flatMap((text) => [turn('user', text), turn(model, 'Go on.')])
    const turns = body[member]
    return {
      ...body,
      [member]: [...before, ...(Array.isArray(turns) ? turns : [turn('user', String(turns))])],
    }
  }

const plainTurn = (role: string, content: string) => ({ role, content })

const filledUp: Readonly<Record<Format, Fill>> = {
  chat: turnsIn('messages', plainTurn),
  messages: turnsIn('messages', plainTurn),
  responses: turnsIn('input', plainTurn),
  gemini: turnsIn('contents', (role, text) => ({ role, parts: [{ text }] }), 'model'),
  completions: (body, texts) => ({ ...body, prompt: texts.join('') + body.prompt }),
  embeddings: (body, texts) => ({ ...body, input: [...texts, ...(body.input as string[])] }),
  rerank: (body, texts) => ({ ...body, query: texts.join('') + body.query }),
}

function limited(format: Format, body: Json, limit: number): Json {
  switch (format) {
    case 'responses':
      return { ...body, max_output_tokens: limit }
    case 'gemini':
      return { ...body, generationConfig: { maxOutputTokens: limit } }
    default:
      return { ...body, max_tokens: limit }
  }
}

interface VariedReply extends Variation {
  readonly frames: readonly string[]
}

function variedReply(exchange: Exchange, pick: Pick): VariedReply {
  const { isStream, frames, vendor, status } = exchange
  const edit = pick(isStream ? streamEdits : bodyEdits)
  if (status !== 200) return { frames, says: 'as recorded' }
  if (isStream) return editedStream(frames, edit, pick)
  const body = JSON.parse(frames.join('')) as Json
  const size = pick(sizes)
  const filling = fillings[pick(Object.keys(fillings) as (keyof typeof fillings)[])]
  const longer = size === 0 ? body : withText(body, vendor.format, filling, size, pick([true, false]))
  const edited = withCounts(longer, edit as (typeof bodyEdits)[number])
  const isRecorded = longer === body && edited === longer
  const bytes = isRecorded ? frames : [JSON.stringify(edited, null, pick([0, 0, 2]))]
  return { frames: bytes, says: `response with ${size} bytes more, ${edit}` }
}

const bodyEdits = [
  ...['as recorded', 'as recorded', 'as recorded', 'as recorded', 'without counts'],
  ...['counts of zero', 'counts without end', 'counts of a text'],
] as const
const streamEdits = [
  ...['as recorded', 'as recorded', 'as recorded', 'as recorded'],
  ...['repeated', 'cut', 'without its last events'],
] as const

function editedStream(frames: readonly string[], edit: string, pick: Pick): VariedReply {
  switch (edit) {
    case 'repeated': {
      const times = pick([2, 5, 40])
      const [first = '', ...others] = frames
      const middle = others.slice(0, Math.ceil(others.length / 2))
      const repeated = Array.from({ length: times }, () => middle).flat()
      return { frames: [first, ...repeated, ...others], says: `the middle ${times} times more` }
    }
    case 'cut':
      return { frames: frames.slice(0, Math.ceil(frames.length / 2)), says: 'half of it' }
    case 'without its last events':
      return { frames: frames.slice(0, -2), says: 'without its last events' }
    default:
      return { frames, says: 'as recorded' }
  }
}

const countMembers = ['usage', 'usageMetadata'] as const

function withCounts(body: Json, edit: (typeof bodyEdits)[number]): Json {
  const member = countMembers.find((name) => body[name] !== undefined && body[name] !== null)
  if (member === undefined || edit === 'as recorded') return body
  const { [member]: counted, ...others } = body
  if (edit === 'without counts') return others
  const count = edit === 'counts of zero' ? 0 : edit === 'counts without end' ? 3_000_000 : '12'
  const numbers = Object.entries(counted as Json).filter(([, value]) => typeof value === 'number')
  const edited = Object.fromEntries(numbers.map(([name]) => [name, count]))
  return { ...body, [member]: { ...(counted as Json), ...edited } }
}

/** Makes the first text of a response longer; with probabilities of its tokens where the format has some. */
function withText(
  body: Json,
  format: Format,
  filling: string,
  size: number,
  hasProbabilities: boolean,
): Json {
  const text = filling.repeat(Math.ceil(size / filling.length)).slice(0, size)
  switch (format) {
    case 'chat': {
      const [choice, ...others] = body.choices as Json[]
      if (choice === undefined) return body
      const half = hasProbabilities ? text.slice(0, size / 2) : text
      const message = { ...(choice.message as Json), content: half }
      const logprobs = hasProbabilities ? { content: probabilities(size / 2) } : choice.logprobs
      return { ...body, choices: [{ ...choice, message, logprobs }, ...others] }
    }
    case 'completions': {
      const [choice, ...others] = body.choices as Json[]
      return { ...body, choices: [{ ...choice, text }, ...others] }
    }
    case 'messages':
      return { ...body, content: [{ type: 'text', text }, ...(body.content as Json[])] }
    case 'responses':
      return { ...body, output: [...(body.output as Json[]), outputMessage(text)] }
    case 'gemini': {
      const [candidate, ...others] = body.candidates as Json[]
      const content = candidate?.content as { readonly parts: readonly Json[] }
      const longer = { ...content, parts: [{ text }, ...content.parts] }
      return { ...body, candidates: [{ ...candidate, content: longer }, ...others] }
    }
    default:
      return body
  }
}

function probabilities(bytes: number): readonly object[] {
  const entry = { token: ' "quick', logprob: -0.000123, bytes: [32, 113], top_logprobs: [] }
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(entry).length) }, () => entry)
}

function outputMessage(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return { type: 'message', id: 'msg_0123456789abcdef', status: 'completed', role: 'assistant', content }
}
