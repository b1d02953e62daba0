import type { UpstreamCodec } from '../canonical/codec.ts'
import type { ChatRequest, Message, ToolCallPart, ToolResultPart } from '../canonical/request.ts'
import type { ChatResponse } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { sourcePathOf, withSourcePath } from './caller-field-names.ts'

/*
 * Some servers number the calls of each response anew (`call_0`), or give parallel calls one id. Anthropic and Bedrock refuse a conversation
 * with such ids ("`tool_use` ids must be unique"), and clients of Anthropic's format, which pair calls and results by id alone, take the
 * second call for the first and never end. So in a translation each call has an id of its own, in both directions.
 */

/** Ids that are taken, and free ones in their place. Its work grows with the ids alone, however many of them are the same. */
class FreeIds {
  readonly #taken: Set<string>
  readonly #copies = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** Takes an id: itself where it is free or empty, else with a number behind it. */
  take(id: string): string {
    return id === '' || !this.#taken.has(id) ? this.#add(id) : this.next(id)
  }

  /** Takes an id that nobody has, in the place of one that is taken. */
  next(id: string): string {
    let copy = this.#copies.get(id) ?? 2
    while (this.#taken.has(`${id}_${copy}`)) copy++
    this.#copies.set(id, copy + 1)
    return this.#add(`${id}_${copy}`)
  }

  #add(id: string): string {
    this.#taken.add(id)
    return id
  }
}

/** The ids of a conversation's calls, in their order; none of calls without one. */
export function callIdsIn({ messages }: Pick<ChatRequest, 'messages'>): readonly string[] {
  const ids: string[] = []
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call' && part.id !== '') ids.push(part.id)
  return ids
}

/**
 * The request with an id of its own for each call, and for the results with it: results belong to the calls of the turn before them, in
 * their order. The same object where no two calls share an id.
 */
export function withDistinctCalls(request: ChatRequest): ChatRequest {
  const ids = callIdsIn(request)
  const sent = new Set(ids)
  if (sent.size === ids.length) return request
  const renaming = new Renaming(sent)
  return { ...request, messages: request.messages.map((message) => renaming.message(message)) }
}

/** Calls of one turn that share an id: what they are called now, and how many of them have a result. */
interface SharedId {
  readonly ids: string[]
  answered: number
}

class Renaming {
  readonly #free: FreeIds
  readonly #met = new Set<string>()
  /** Calls of the latest turn by the id that they were sent with. */
  readonly #waiting = new Map<string, SharedId>()
  #role: Message['role'] | undefined

  constructor(sent: ReadonlySet<string>) {
    this.#free = new FreeIds(sent)
  }

  message(message: Message): Message {
    if (message.role === 'assistant' && this.#role !== 'assistant') this.#waiting.clear()
    this.#role = message.role
    switch (message.role) {
      case 'assistant': {
        const parts = message.parts.map((part) => (part.type === 'tool-call' ? this.#call(part) : part))
        return withSourcePath({ ...message, parts }, sourcePathOf(message))
      }
      case 'user': {
        const parts = message.parts.map((part) => (part.type === 'tool-result' ? this.#result(part) : part))
        return withSourcePath({ ...message, parts }, sourcePathOf(message))
      }
      case 'system':
        return message
    }
  }

  #call(part: ToolCallPart): ToolCallPart {
    if (part.id === '') return part
    const id = this.#met.has(part.id) ? this.#free.next(part.id) : part.id
    this.#met.add(part.id)
    const shared = this.#waiting.get(part.id)
    if (shared === undefined) this.#waiting.set(part.id, { ids: [id], answered: 0 })
    else shared.ids.push(id)
    return id === part.id ? part : withSourcePath({ ...part, id }, sourcePathOf(part))
  }

  #result(part: ToolResultPart): ToolResultPart {
    const shared = this.#waiting.get(part.callId)
    const callId = shared?.ids[shared.answered++]
    return callId === undefined || callId === part.callId
      ? part
      : withSourcePath({ ...part, callId }, sourcePathOf(part))
  }
}

/**
 * A codec that gives a response's calls ids that no other call of it or of its conversation has.
 * @param taken the ids of the conversation, read when the response has a call
 */
export function withFreeCallIds(codec: UpstreamCodec, taken: () => Iterable<string>): UpstreamCodec {
  const { decodeStream } = codec
  let ids: FreeIds | undefined
  const freed = (parts: readonly ChatPart[]): readonly ChatPart[] => {
    if (!parts.some(isCallStart)) return parts
    ids ??= new FreeIds(taken())
    const free = ids
    return parts.map((part) => (isCallStart(part) ? { ...part, id: free.take(part.id) } : part))
  }
  return {
    ...codec,
    decodeResponse(body) {
      const reading = codec.decodeResponse(body)
      return reading.ok ? { ok: true, response: freedResponse(reading.response, taken) } : reading
    },
    decodeStream: {
      start(isForwarded) {
        ids = undefined
        return decodeStream.start(isForwarded)
      },
      step: (state, frame) => freed(decodeStream.step(state, frame)),
      finish: (state) => freed(decodeStream.finish(state)),
    },
  }
}

function isCallStart(part: ChatPart): part is Extract<ChatPart, { readonly type: 'tool-call-start' }> {
  return part.type === 'tool-call-start'
}

function freedResponse(response: ChatResponse, taken: () => Iterable<string>): ChatResponse {
  if (!response.candidates.some(({ parts }) => parts.some(({ type }) => type === 'tool-call')))
    return response
  const ids = new FreeIds(taken())
  const candidates = response.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map((part) =>
      part.type === 'tool-call' ? { ...part, id: ids.take(part.id) } : part,
    ),
  }))
  return { ...response, candidates }
}
