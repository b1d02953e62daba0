import type { AssistantPart } from '../canonical/request.ts'
import type { ChatResponse } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { unwrapText, ValueUnwrapper } from './wrapped-value.ts'

/** Takes values out of their wrappers on the way from a stream's decoder to its encoder. */
export class PartUnwrapper {
  readonly #texts = new Map<number, ValueUnwrapper>()
  readonly #calls = new Map<number, ValueUnwrapper>()

  /** The parts as the caller reads them; the same list when nothing in it changes. */
  read(parts: readonly ChatPart[]): readonly ChatPart[] {
    const read = parts.map((part) => this.#read(part))
    return read.some((instead) => instead !== undefined)
      ? parts.flatMap((part, index) => read[index] ?? [part])
      : parts
  }

  /** `undefined` for a part that stays. */
  #read(part: ChatPart): readonly ChatPart[] | undefined {
    switch (part.type) {
      case 'text-delta': {
        const text = opened(this.#texts, part.candidate).push(part.text)
        return text === part.text ? undefined : text === '' ? [] : [{ ...part, text }]
      }
      case 'tool-call-delta': {
        const text = opened(this.#calls, callKey(part)).push(part.arguments)
        return text === part.arguments ? undefined : text === '' ? [] : [{ ...part, arguments: text }]
      }
      case 'tool-call-end':
        return before(part, this.#endCalls([callKey(part)]))
      case 'open':
      case 'tool-call-start':
        return before(part, this.#endText(part.candidate))
      case 'stop':
        return before(part, [
          ...this.#endText(part.candidate),
          ...this.#endCalls(this.#callsOf(part.candidate)),
        ])
      case 'end':
        return before(part, this.#endCalls([...this.#calls.keys()]))
      default:
        return undefined
    }
  }

  #endText(candidate: number): readonly ChatPart[] {
    const text = this.#texts.get(candidate)?.end() ?? ''
    this.#texts.delete(candidate)
    return text === '' ? [] : [{ type: 'text-delta', candidate, text }]
  }

  #callsOf(candidate: number): readonly number[] {
    return [...this.#calls.keys()].filter((key) => callOf(key).candidate === candidate)
  }

  /** Ends calls: a response may end without ending them; a wrapper that never closed shows that its call is incomplete. */
  #endCalls(keys: readonly number[]): readonly ChatPart[] {
    return keys.flatMap((key): readonly ChatPart[] => {
      const unwrapper = this.#calls.get(key)
      this.#calls.delete(key)
      if (unwrapper?.isCut === true) return [{ type: 'tool-call-end', ...callOf(key), isCut: true }]
      const text = unwrapper?.end() ?? ''
      return text === '' ? [] : [{ type: 'tool-call-delta', ...callOf(key), arguments: text }]
    })
  }
}

/** The part behind others; `undefined` where there are none. */
function before(part: ChatPart, others: readonly ChatPart[]): readonly ChatPart[] | undefined {
  return others.length === 0 ? undefined : [...others, part]
}

const callsOfCandidate = 2 ** 20

function callKey({ candidate, call }: { readonly candidate: number; readonly call: number }): number {
  return candidate * callsOfCandidate + call
}

function callOf(key: number) {
  return { candidate: Math.floor(key / callsOfCandidate), call: key % callsOfCandidate }
}

function opened(all: Map<number, ValueUnwrapper>, key: number): ValueUnwrapper {
  const known = all.get(key)
  if (known !== undefined) return known
  const unwrapper = new ValueUnwrapper()
  all.set(key, unwrapper)
  return unwrapper
}

/** A buffered response without wrappers around its values; the same one when it has none. */
export function unwrapResponse(response: ChatResponse): ChatResponse {
  const candidates = response.candidates.map((candidate) => {
    const parts = candidate.parts.map(unwrapPart)
    return parts.some((part, index) => part !== candidate.parts[index]) ? { ...candidate, parts } : candidate
  })
  const isChanged = candidates.some((candidate, index) => candidate !== response.candidates[index])
  return isChanged ? { ...response, candidates } : response
}

function unwrapPart(part: AssistantPart): AssistantPart {
  if (part.type === 'text') {
    const text = unwrapText(part.text)
    return text === part.text ? part : { ...part, text }
  }
  if (part.type !== 'tool-call') return part
  const text = unwrapText(part.arguments)
  return text === part.arguments ? part : { ...part, arguments: text }
}
