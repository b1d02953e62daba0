import { addToolCalls, type ToolCalls } from '../canonical/charged-tools.ts'
import type { ChatPart } from '../canonical/stream.ts'
import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { utf8Length } from '../json/utf8.ts'
import type { Usage } from '../usage.ts'

/**
 * Joins pieces in groups: each may be a slice of its complete event, which must not stay in memory for it. Small
 * groups, for a thousand streams wait at a time, each with its last one.
 */
const groupSize = 8

/** A text that comes in pieces. */
export class TextBuffer {
  #text = ''
  readonly #pieces: string[] = []

  get isEmpty(): boolean {
    return this.#text === '' && this.#pieces.length === 0
  }

  /** @param piece not empty */
  append(piece: string): void {
    if (this.#pieces.push(piece) === groupSize) this.#join()
  }

  /** All that has come so far. */
  read(): string {
    if (this.#pieces.length > 0) this.#join()
    return this.#text
  }

  #join(): void {
    this.#text += this.#pieces.join('')
    this.#pieces.length = 0
  }
}

/** Output that a response delivered, for counting tokens when the upstream sent no usage. */
export interface Delivered {
  /** Content, reasoning, refusals, tool names and arguments in the order they came. */
  readonly text: string
  /** Bytes of text beyond what is kept. */
  readonly overflowBytes: number
  readonly toolCalls: number
}

/** Characters stored per response: tokenizing more would cost more than it is worth. */
const storedCharacters = 256 * 1024

/** Collects the text of a response in bounded memory. */
export class DeliveredText {
  readonly #text = new TextBuffer()
  #retained = 0
  #overflowBytes = 0
  #toolCalls = 0

  append(piece: string): void {
    if (piece === '') return
    if (this.#retained + piece.length > storedCharacters) {
      this.#overflowBytes += utf8Length(piece)
      return
    }
    this.#retained += piece.length
    this.#text.append(piece)
  }

  /** Begins a tool call, whose arguments are appended as they come. */
  appendCall(name: string): void {
    if (name !== '') this.#toolCalls++
    this.append(name)
  }

  /** Grows with everything that is delivered. */
  get size(): number {
    return this.#retained + this.#overflowBytes
  }

  read(): Delivered {
    return { text: this.#text.read(), overflowBytes: this.#overflowBytes, toolCalls: this.#toolCalls }
  }
}

/**
 * `waiting`: no real event yet. `opened`: the first real event came, but no content (a role).
 * `delivering`: text, a tool call or an end came. Usage alone changes nothing.
 */
export type StreamPhase = 'waiting' | 'opened' | 'delivering'

/** `complete`: ended by its own terms. `cut`: bytes ended in the middle. `empty`: no real event ever came. `stopped`: by us. */
export type StreamOutcome = 'complete' | 'cut' | 'empty' | 'stopped'

/** Follows the parts of a streamed response: its phase, its delivered content, its usage and its outcome. */
export class StreamMeter {
  phase: StreamPhase = 'waiting'
  error: UpstreamErrorInfo | undefined
  readonly #delivered = new DeliveredText()
  #usage: Usage | undefined
  #toolCalls: ToolCalls | undefined
  #leftOut: Set<string> | undefined
  /** Bytes delivered by the time the usage came. */
  #deliveredAtUsage = 0
  /** Candidates that have begun, and those that have ended. */
  readonly #opened = new Set<number>()
  readonly #stopped = new Set<number>()
  /** The candidate that something was last delivered of. */
  #delivering: number | undefined
  #ended = false

  get outcome(): StreamOutcome {
    if (this.phase === 'waiting') return 'empty'
    // Several upstreams send no end mark; a response whose candidates have ended is complete without it.
    const complete = this.#ended || (this.#stopped.size > 0 && this.#stopped.size >= this.#opened.size)
    return this.error === undefined && complete ? 'complete' : 'cut'
  }

  get isEnded(): boolean {
    return this.#ended
  }

  /** Every candidate that began has ended: nothing but usage and the end mark may follow. */
  get isStopped(): boolean {
    return this.#stopped.size > 0 && this.#stopped.size >= this.#opened.size
  }

  /** Candidates that have begun and not ended. */
  get open(): readonly number[] {
    return [...this.#opened].filter((candidate) => !this.#stopped.has(candidate))
  }

  /** Returns the upstream's count; `undefined` when it sent none that can be charged. */
  get usage(): Usage | undefined {
    const usage = this.#usage
    if (usage?.totalTokens !== undefined) return undefined
    // A count of 0 tokens with delivered text is invalid, unless no model was asked.
    if (usage?.outputTokens === 0 && usage.isWithoutModel !== true && this.#delivered.size > 0)
      return undefined
    // Some upstreams count at the start only: that count misses the text delivered after it.
    return this.#delivered.size > this.#deliveredAtUsage ? undefined : usage
  }

  /** Returns the latest count, whether or not more was delivered after it: its part about the prompt still holds. */
  get latestUsage(): Usage | undefined {
    return this.#usage
  }

  /** Tools that the vendor has run so far, by the parts that report them. */
  get toolCalls(): ToolCalls | undefined {
    return this.#toolCalls
  }

  /** Returns what has come so far without a canonical form. */
  get leftOut(): readonly string[] {
    return this.#leftOut === undefined ? nothing : [...this.#leftOut]
  }

  /** Grows with everything that is delivered: characters. */
  get deliveredSize(): number {
    return this.#delivered.size
  }

  delivered(): Delivered {
    return this.#delivered.read()
  }

  /** Adds more text of a response in delivery: the same as `take` of a text part, without allocating the part. */
  takeText(text: string): void {
    this.#delivered.append(text)
  }

  take(part: ChatPart): void {
    // Most parts are more text of the same candidate.
    if (part.type === 'text-delta' && part.candidate === this.#delivering) this.takeText(part.text)
    else this.#takeOther(part)
  }

  #takeOther(part: ChatPart): void {
    switch (part.type) {
      case 'start':
        return
      case 'usage':
        // A total adds nothing to counts that say what they are of.
        if (part.usage.totalTokens !== undefined && this.#usage !== undefined) return
        this.#usage = part.usage
        this.#deliveredAtUsage = this.#delivered.size
        return
      case 'left-out':
        this.#leftOut ??= new Set()
        this.#leftOut.add(part.name)
        return
      case 'tool-ran':
        this.#toolCalls = addToolCalls(this.#toolCalls, { [part.kind]: 1 })
        return
      case 'error':
        this.error = part.error
        return
      case 'end':
        this.#ended = true
        return
      case 'open':
        this.#open(part.candidate)
        return
      case 'stop':
        this.#opened.add(part.candidate)
        this.#stopped.add(part.candidate)
        this.phase = 'delivering'
        return
      default:
        this.#deliver(part)
    }
  }

  #open(candidate: number): void {
    this.#opened.add(candidate)
    if (this.phase === 'waiting') this.phase = 'opened'
  }

  #deliver(part: Delivering): void {
    this.#opened.add(part.candidate)
    this.#delivering = part.candidate
    this.phase = 'delivering'
    if (part.type === 'tool-call-start') this.#delivered.appendCall(part.name)
    else this.#delivered.append(textOfPart(part))
  }
}

const nothing: readonly string[] = []

type Delivering = Exclude<
  ChatPart,
  { readonly type: 'start' | 'left-out' | 'tool-ran' | 'usage' | 'error' | 'end' | 'open' | 'stop' }
>

/** Returns what counts as the response's text when tokens are counted by us. Signatures and encrypted reasoning do not count as text. */
function textOfPart(part: Delivering): string {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'refusal-delta':
      return part.text
    case 'tool-call-delta':
      return part.arguments
    default:
      return ''
  }
}
