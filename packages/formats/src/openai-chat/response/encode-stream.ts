import type { EncodeContext, StreamEncoder, TextFrame } from '../../canonical/codec.ts'
import type { Signature } from '../../canonical/request.ts'
import type { Stop } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { JsonTemplate } from '../../json/template.ts'
import { textInArguments } from '../../requests/custom-tools.ts'
import type { Usage } from '../../usage.ts'
import { encodeThinkingBlock } from '../thinking-blocks.ts'
import { encodeDetail, googleSignature } from './delta-parts.ts'
import {
  customToolsOf,
  encodeCitation,
  encodeImage,
  encodeLogprob,
  isLink,
  linkOf,
  responseId,
  toolCallId,
} from './encode-response.ts'
import { encodeStop } from './stop.ts'
import { encodeTier, encodeUsage } from './usage.ts'

/** State of the stream that the caller has been sent so far. */
export interface ChunkEncoding {
  readonly call: EncodeContext
  readonly customTools: ReadonlySet<string>
  id: string
  createdAt: number
  readonly candidates: Map<number, CandidateEncoding>
}

interface CandidateEncoding {
  /** A chunk with a piece of text, which most are. */
  readonly texts: JsonTemplate
  stop: Stop | undefined
  hasRefusal: boolean
  /** Reasoning that a signature may still follow: it goes out together with its signature. */
  reasoning: string[]
  details: number
  images: number
  /** Calls by their number, and whether any of the arguments came. */
  readonly calls: Map<number, CallEncoding>
}

interface CallEncoding {
  hasArguments: boolean
  isEnded: boolean
  /** Arguments of a custom tool's call, whose free text goes out when it is complete; absent for functions. */
  readonly text?: string[]
}

type OfCandidate = Extract<ChatPart, { readonly candidate: number }>
type Handler<Type> = (
  state: ChunkEncoding,
  candidate: CandidateEncoding,
  part: Extract<OfCandidate, { type: Type }>,
) => object | undefined

/**
 * The chunks of a stream: the role first, then one delta per part. Why it ended, usage and `[DONE]` wait for `finish`,
 * when the response is charged.
 */
export const encodeStream: StreamEncoder<ChunkEncoding> = {
  start: (call) => ({
    call,
    customTools: customToolsOf(call),
    id: responseId('', call),
    createdAt: call.createdAt,
    candidates: new Map(),
  }),
  step(state, part) {
    if (part.type === 'start') {
      state.id = responseId(part.id, state.call)
      state.createdAt = part.createdAt || state.call.createdAt
      return none
    }
    return 'candidate' in part ? encodePart(state, part) : none
  },
  finish(state, usage) {
    if (state.candidates.size === 0) return [...opened(state, 0), ...closing(state, usage)]
    return closing(state, usage)
  },
}

const none: readonly TextFrame[] = []

function encodePart(state: ChunkEncoding, part: OfCandidate): readonly TextFrame[] {
  const first = opened(state, part.candidate)
  const candidate = state.candidates.get(part.candidate)
  if (candidate === undefined) return first
  if (part.type === 'text-delta') {
    const text = { data: candidate.texts.with(part.text) }
    return first.length === 0 ? [text] : [...first, text]
  }
  // The table has for each type of part the handler of that very type.
  const handler = handlers[part.type] as Handler<OfCandidate['type']>
  const stated = handler(state, candidate, part)
  return stated === undefined ? first : [...first, chunk(state, part.candidate, { delta: {}, ...stated })]
}

/** The chunk with the role, when the candidate is new. */
function opened(state: ChunkEncoding, index: number): readonly TextFrame[] {
  if (state.candidates.has(index)) return none
  state.candidates.set(index, {
    texts: new JsonTemplate((text) => chunkOf(state, index, delta({ content: text }))),
    stop: undefined,
    hasRefusal: false,
    reasoning: [],
    details: 0,
    images: 0,
    calls: new Map(),
  })
  return [chunk(state, index, { delta: { role: 'assistant', content: '' } })]
}

const handlers: { readonly [Type in Exclude<OfCandidate['type'], 'text-delta'>]: Handler<Type> } = {
  open: () => undefined,
  stop: (_, candidate, { stop }) => {
    candidate.stop = stop
    return undefined
  },
  'text-signature': (_, __, { signature }) => {
    return signature.vendor === 'gemini' ? delta({ content: '', ...googleSignature(signature) }) : undefined
  },
  'reasoning-delta': (_, candidate, { text }) => {
    candidate.reasoning.push(text)
    return delta({ reasoning_content: text })
  },
  'reasoning-signature': (state, candidate, { signature }) => {
    const text = candidate.reasoning.join('')
    candidate.reasoning = []
    return detail(state, candidate, { text, signature })
  },
  'reasoning-encrypted': (state, candidate, { encrypted }) =>
    detail(state, candidate, { text: '', encrypted }),
  'refusal-delta': (_, candidate, { text }) => {
    candidate.hasRefusal = true
    return delta({ refusal: text })
  },
  'tool-call-start': (state, candidate, { candidate: index, call, id, name, signature }) => {
    const head = { index: call, id: toolCallId(id, state.id, index, call) }
    if (state.customTools.has(name)) {
      candidate.calls.set(call, { hasArguments: false, isEnded: false, text: [] })
      return delta({ tool_calls: [{ ...head, type: 'custom', custom: { name, input: '' } }] })
    }
    candidate.calls.set(call, { hasArguments: false, isEnded: false })
    const named = { type: 'function', function: { name, arguments: '' } }
    return delta({ tool_calls: [{ ...head, ...named, ...googleSignature(signature) }] })
  },
  'tool-call-delta': (_, candidate, { call, arguments: text }) => {
    const known = candidate.calls.get(call)
    if (known === undefined || text === '') return undefined
    known.hasArguments = true
    if (known.text !== undefined) {
      known.text.push(text)
      return undefined
    }
    return delta({ tool_calls: [{ index: call, function: { arguments: text } }] })
  },
  'tool-call-end': (_, candidate, { call }) => endCall(candidate, call),
  media: (_, candidate, { media }) => {
    if (isLink(media)) return delta({ content: linkOf(media) })
    if (media.kind === 'audio' && media.source.type === 'base64')
      return delta({ audio: { data: media.source.data } })
    return delta({ images: [encodeImage(media, candidate.images++)] })
  },
  citation: (_, __, { citation }) => delta({ annotations: [encodeCitation(citation)] }),
  logprobs: (_, __, { logprobs }) => ({ logprobs: { content: logprobs.map(encodeLogprob), refusal: null } }),
}

function delta(stated: object): object {
  return { delta: stated }
}

function detail(
  { call }: ChunkEncoding,
  candidate: CandidateEncoding,
  part: { readonly text: string; readonly signature?: Signature; readonly encrypted?: Signature },
): object {
  const reasoning = { type: 'reasoning', ...part } as const
  const blocks = call.echo?.thinking_blocks === true ? encodeThinkingBlock(reasoning) : []
  return delta({
    reasoning_details: [encodeDetail(reasoning, candidate.details++)],
    ...(blocks.length > 0 && { thinking_blocks: blocks }),
  })
}

/** Ends a call; no arguments at all are an empty object. */
function endCall(candidate: CandidateEncoding, call: number): object | undefined {
  const known = candidate.calls.get(call)
  if (known === undefined || known.isEnded) return undefined
  known.isEnded = true
  if (known.text !== undefined) {
    const input = textInArguments(known.text.join(''))
    return delta({ tool_calls: [{ index: call, custom: { input } }] })
  }
  if (known.hasArguments) return undefined
  return delta({ tool_calls: [{ index: call, function: { arguments: '{}' } }] })
}

/** Writes the closing frames: the tier is known only when the usage is. */
function closing(state: ChunkEncoding, usage: Usage): readonly TextFrame[] {
  const frames: TextFrame[] = []
  const service_tier = encodeTier(usage)
  for (const [index, candidate] of state.candidates) {
    const last = chunkOf(state, index, { delta: {}, finish_reason: finishReason(candidate) })
    frames.push(frameOf({ ...last, service_tier }))
  }
  if (state.call.includeUsage)
    frames.push(frameOf({ ...bodyOf(state, [], encodeUsage(usage)), service_tier }))
  frames.push({ data: '[DONE]' })
  return frames
}

function finishReason({ stop, calls, hasRefusal }: CandidateEncoding): string {
  const hasToolCalls = calls.size > 0
  return encodeStop(stop?.reason ?? (hasToolCalls ? 'tool-calls' : 'stop'), { hasToolCalls, hasRefusal })
}

/** One choice of one chunk: its delta, and whatever else it has to say. */
function chunk(state: ChunkEncoding, index: number, stated: object): TextFrame {
  return frameOf(chunkOf(state, index, stated))
}

function frameOf(body: object): TextFrame {
  return { data: JSON.stringify(body) }
}

function chunkOf(state: ChunkEncoding, index: number, stated: object): object {
  const choice = { index, delta: {}, logprobs: null, finish_reason: null, ...stated }
  // For callers that asked for usage, every chunk says `usage: null` until the last one.
  return bodyOf(state, [choice], state.call.includeUsage ? null : undefined)
}

function bodyOf({ id, createdAt, call }: ChunkEncoding, choices: readonly unknown[], usage: unknown): object {
  return { id, object: 'chat.completion.chunk', created: createdAt, model: call.model, choices, usage }
}
