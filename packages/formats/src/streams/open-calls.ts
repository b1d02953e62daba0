import type { ChatPart } from '../canonical/stream.ts'
import { parseJson } from '../json/value.ts'
import { isInterruption } from './call-arguments.ts'
import { TextBuffer } from './stream-meter.ts'

/** More than any model writes into one call: such a call is not judged. */
const maxCharacters = 4 * 1024 * 1024

interface OpenCall {
  readonly candidate: number
  readonly text: TextBuffer
  size: number
}

/**
 * Follows the calls of a stream that passes as received, to see whether its upstream's end mark stands inside of one. What the
 * upstream itself ended, by the call's own end or by a reason, is its word, whatever the arguments are.
 */
export class OpenCalls {
  readonly #open = new Map<string, OpenCall>()

  take(part: ChatPart): void {
    switch (part.type) {
      case 'tool-call-start':
        this.#open.set(keyOf(part), { candidate: part.candidate, text: new TextBuffer(), size: 0 })
        return
      case 'tool-call-delta':
        this.#add(this.#open.get(keyOf(part)), part.arguments)
        return
      case 'tool-call-end':
        this.#open.delete(keyOf(part))
        return
      case 'stop':
        if (isInterruption(part.stop)) this.#forget(part.candidate)
    }
  }

  /** Tells that a call is open whose arguments are incomplete; one of which no argument came may have none. */
  get isCut(): boolean {
    return [...this.#open.values()].some(({ text, size }) => {
      const isJudged = size > 0 && size <= maxCharacters
      return isJudged && parseJson(text.read()) === undefined
    })
  }

  #add(call: OpenCall | undefined, piece: string): void {
    if (call === undefined || piece === '') return
    call.size += piece.length
    if (call.size <= maxCharacters) call.text.append(piece)
  }

  #forget(candidate: number): void {
    for (const [key, call] of this.#open) if (call.candidate === candidate) this.#open.delete(key)
  }
}

function keyOf({ candidate, call }: { readonly candidate: number; readonly call: number }): string {
  return `${candidate}:${call}`
}
