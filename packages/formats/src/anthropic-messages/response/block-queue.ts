import type { JsonObject } from '../../json/value.ts'
import { wrapSignature } from '../../requests/foreign-signatures.ts'
import { callHead, textHead } from '../blocks.ts'

/** Content that waits for the end of another block: more than any model writes at once. */
const maxBufferedCharacters = 4 * 1024 * 1024

interface Block {
  readonly kind: 'text' | 'thinking' | 'tool' | 'whole'
  /** `content_block` of its start. */
  readonly head: JsonObject
  /** Deltas that were not written yet. */
  deltas: JsonObject[]
  /** Characters of the deltas that came while another block was first. */
  waiting: number
  closed: boolean
}

/**
 * The content blocks of a stream. This format opens one block at a time, with growing indexes: deltas of a later block wait
 * until the earlier blocks are closed. Text and reasoning close when another block begins, tool calls when their end
 * arrives. Reasoning after a text waits until a text or a call follows it; without one it is left out, because
 * Claude Code takes the last block for its result.
 */
export class BlockQueue {
  /** Blocks that are not closed and written yet, in their order; the first may be half written. */
  readonly #queue: Block[] = []
  readonly #calls = new Map<number, Block>()
  #index = 0
  #firstStarted = false
  #hasText = false
  #buffered = 0

  /** More waits than is kept. */
  get overflows(): boolean {
    return this.#buffered > maxBufferedCharacters
  }

  /** Tells that the last block holds reasoning and is open. */
  get isThinking(): boolean {
    return this.#last('thinking') !== undefined
  }

  /** The index of the text that is open, when all that came before is written; `undefined` for none. */
  get openText(): number | undefined {
    const first = this.#queue[0]
    if (first?.kind !== 'text' || first.closed || this.#queue.length > 1) return undefined
    return this.#firstStarted && first.deltas.length === 0 ? this.#index : undefined
  }

  addText(text: string): void {
    if (text === '') return
    const block = this.#last('text') ?? this.#push('text', textHead)
    this.#add(block, { type: 'text_delta', text }, text.length)
  }

  /** Adds a citation to the text that is open; an empty text of its own would be refused when it comes back. */
  addCitation(citation: JsonObject): void {
    const block = this.#last('text')
    if (block !== undefined) this.#add(block, { type: 'citations_delta', citation }, 0)
  }

  addThinking(text: string): void {
    if (text === '') return
    const block = this.#last('thinking') ?? this.#startThinking()
    this.#add(block, { type: 'thinking_delta', thinking: text }, text.length)
  }

  /** Ends the open reasoning block, or a new one without text. */
  endThinking(signature: string): void {
    const block = this.#last('thinking') ?? this.#startThinking()
    this.#add(block, { type: 'signature_delta', signature }, signature.length)
    block.closed = true
  }

  /** Blocks that come in one piece. */
  addComplete(...heads: readonly JsonObject[]): void {
    for (const head of heads) this.#push('whole', head).closed = true
  }

  startCall(call: number, id: string, name: string): void {
    if (this.#calls.has(call)) return
    this.#calls.set(call, this.#push('tool', callHead(id, name)))
  }

  addArguments(call: number, json: string): void {
    const block = this.#calls.get(call)
    if (block === undefined || block.closed || json === '') return
    this.#add(block, { type: 'input_json_delta', partial_json: json }, json.length)
  }

  endCall(call: number): void {
    const block = this.#calls.get(call)
    if (block !== undefined) block.closed = true
  }

  /** Ends what is open, apart from calls: only their upstream knows whether they are whole. */
  closeContent(): void {
    for (const block of this.#queue) if (block.kind !== 'tool') close(block)
  }

  /** Gives up calls that never ended. One that the caller saw begin stays open, so that no client makes it. */
  abandonCalls(): void {
    const open = this.#queue.filter(({ kind, closed }) => kind === 'tool' && !closed)
    if (this.#firstStarted && open[0] !== undefined && open[0] === this.#queue[0]) {
      this.#index++
      this.#firstStarted = false
    }
    for (const block of open) this.#queue.splice(this.#queue.indexOf(block), 1)
  }

  /** Events of everything that may be written by now. */
  flush(): readonly JsonObject[] {
    const events: JsonObject[] = []
    for (let block = this.#queue[0]; block !== undefined; block = this.#queue[0]) {
      if (!this.#firstStarted) {
        if (this.#isTrailing(block)) break
        this.#firstStarted = true
        this.#hasText ||= block.kind === 'text'
        events.push({ type: 'content_block_start', index: this.#index, content_block: block.head })
        this.#buffered -= block.waiting
      }
      for (const delta of block.deltas)
        events.push({ type: 'content_block_delta', index: this.#index, delta })
      block.deltas = []
      if (!block.closed) break
      events.push({ type: 'content_block_stop', index: this.#index++ })
      this.#queue.shift()
      this.#firstStarted = false
    }
    return events
  }

  /** Reasoning that only reasoning follows, behind a text. */
  #isTrailing(first: Block): boolean {
    return this.#hasText && isReasoning(first) && this.#queue.every(isReasoning)
  }

  #startThinking(): Block {
    return this.#push('thinking', { type: 'thinking', thinking: '', signature: '' })
  }

  /** The last block, when it is of this kind and open. */
  #last(kind: Block['kind']): Block | undefined {
    const last = this.#queue.at(-1)
    return last?.kind === kind && !last.closed ? last : undefined
  }

  #push(kind: Block['kind'], head: JsonObject): Block {
    const last = this.#queue.at(-1)
    if (last?.kind !== 'tool' && last !== undefined) close(last)
    const block: Block = { kind, head, deltas: [], waiting: 0, closed: false }
    this.#queue.push(block)
    return block
  }

  #add(block: Block, delta: JsonObject, size: number): void {
    block.deltas.push(delta)
    if (block === this.#queue[0] && !this.#isTrailing(block)) return
    block.waiting += size
    this.#buffered += size
  }
}

function isReasoning({ kind }: Block): boolean {
  return kind === 'thinking' || kind === 'whole'
}

/** Clients store reasoning only with a signature. */
function close(block: Block): void {
  if (block.closed) return
  if (block.kind === 'thinking')
    block.deltas.push({ type: 'signature_delta', signature: wrapSignature('unsigned') })
  block.closed = true
}
