import type { Stop } from '../canonical/answer.ts'
import type { AssistantPart, ReasoningPart } from '../canonical/request.ts'
import type { ChatPart } from '../canonical/stream.ts'
import type { Usage } from '../usage.ts'

/** What a stream's parts come to; tests compare streams by it. */
export class ToldAnswer {
  stop: Stop | undefined
  usage: Usage | undefined
  readonly #parts: AssistantPart[] = []
  /** Places of the calls among the parts. */
  readonly #calls = new Map<number, number>()
  /** Thoughts that may still grow. */
  #thoughts: ReasoningPart | undefined

  constructor(stream: readonly ChatPart[]) {
    for (const part of stream) this.#take(part)
  }

  /** A call without a word of arguments has none. */
  get parts(): readonly AssistantPart[] {
    return this.#parts.map((part) =>
      part.type === 'tool-call' && part.arguments === '' ? { ...part, arguments: '{}' } : part,
    )
  }

  #take(part: ChatPart): void {
    switch (part.type) {
      case 'text-delta':
      case 'refusal-delta':
        this.#addText(part.text)
        break
      case 'reasoning-delta':
        this.#grow({ text: part.text })
        break
      case 'reasoning-signature':
        this.#grow({ signature: part.signature })
        this.#thoughts = undefined
        break
      case 'reasoning-encrypted':
        if (part.encrypted.vendor === 'anthropic') this.#thoughts = undefined
        this.#grow({ encrypted: part.encrypted })
        this.#thoughts = undefined
        break
      case 'stop':
        this.stop = part.stop
        break
      case 'usage':
        this.usage = part.usage
        break
      default:
        this.#takeCall(part)
    }
  }

  #takeCall(part: ChatPart): void {
    if (part.type === 'tool-call-start') {
      const { id, name, signature } = part
      this.#calls.set(part.call, this.#parts.length)
      this.#push({ type: 'tool-call', id, name, arguments: '', ...(signature && { signature }) })
    } else if (part.type === 'tool-call-delta') {
      const place = this.#calls.get(part.call) ?? -1
      const open = this.#parts[place]
      if (open?.type === 'tool-call')
        this.#parts[place] = { ...open, arguments: open.arguments + part.arguments }
    }
  }

  #addText(text: string): void {
    const last = this.#parts.at(-1)
    if (last?.type === 'text') this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text }
    else this.#push({ type: 'text', text })
  }

  #grow(more: Partial<ReasoningPart>): void {
    const open = this.#thoughts
    if (open === undefined) this.#push({ type: 'reasoning', text: '' })
    const before: ReasoningPart = open ?? { type: 'reasoning', text: '' }
    const grown = { ...before, ...more, text: before.text + (more.text ?? '') }
    this.#parts[this.#parts.length - 1] = grown
    this.#thoughts = grown
  }

  #push(part: AssistantPart): void {
    this.#parts.push(part)
    this.#thoughts = undefined
  }
}
