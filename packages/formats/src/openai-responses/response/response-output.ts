import type { MediaPart, Signature } from '../../canonical/request.ts'
import type { Citation, TokenLogprob } from '../../canonical/response.ts'
import type { JsonTemplate } from '../../json/template.ts'
import type { JsonObject } from '../../json/value.ts'
import { linkOf } from '../../openai-chat/response/encode-response.ts'
import { wrapSignature } from '../../requests/foreign-signatures.ts'
import type { ToolName } from '../tool-names.ts'
import { imageItem } from './item-content.ts'
import { MessageItem } from './message-item.ts'
import {
  CallItem,
  type EventSink,
  type ItemStatus,
  OutputWriter,
  ReasoningItemWriter,
} from './output-items.ts'

/**
 * The output of a response: what is said goes into the item that is open for it, or begins one. Messages and thoughts end
 * where another item begins; calls of tools go on side by side, each to its own end.
 */
export class ResponseOutput {
  readonly #output: OutputWriter
  readonly #suffix: string
  readonly #names: ReadonlyMap<string, ToolName>
  readonly #calls = new Map<number, CallItem>()
  #message: MessageItem | undefined
  #reasoning: ReasoningItemWriter | undefined
  hasRefusal = false

  /** @param names of tools that the caller knows otherwise */
  constructor(suffix: string, names: ReadonlyMap<string, ToolName>, sink: EventSink) {
    this.#suffix = suffix
    this.#names = names
    this.#output = new OutputWriter(suffix, sink)
  }

  get items(): readonly JsonObject[] {
    return this.#output.items
  }

  addText(text: string): void {
    if (text !== '') this.#speak().addText(text)
  }

  /**
   * Adds to the text that is open; `undefined` when none is.
   * @returns how its event is written, which the caller does
   */
  addPiece(text: string): JsonTemplate | undefined {
    return text === '' ? undefined : this.#message?.addPiece(text)
  }

  addRefusal(text: string): void {
    if (text === '') return
    this.hasRefusal = true
    this.#speak().addRefusal(text)
  }

  addCitation(citation: Citation): void {
    this.#speak().addCitation(citation)
  }

  addLogprobs(logprobs: readonly TokenLogprob[]): void {
    if (logprobs.length > 0) this.#speak().addLogprobs(logprobs)
  }

  addReasoning(text: string): void {
    if (text !== '') this.#think().add(text)
  }

  /** Ends the thoughts that are open, or an item without any. */
  addSignature(signature: Signature): void {
    this.#think().closeWith({ signature })
  }

  /** Anthropic's encrypted thoughts stand for themselves, those of others belong to the text of them that is open. */
  addEncrypted(encrypted: Signature): void {
    if (encrypted.vendor === 'anthropic') this.#closeSpoken('completed')
    this.#think().closeWith({ encrypted })
  }

  /** Another vendor's signature of a text or a call, in an item of its own that clients return unread. */
  addDetachedSignature(kind: 'text' | 'tool-call', signature: Signature | undefined): void {
    if (signature === undefined) return
    this.#closeSpoken('completed')
    new ReasoningItemWriter(this.#output).end(wrapSignature(kind, signature))
  }

  startCall(call: number, id: string, name: string): void {
    if (this.#calls.has(call)) return
    this.#closeSpoken('completed')
    const tool = this.#names.get(name) ?? { name, namespace: '', isCustom: false }
    const callId = id === '' ? `call_${this.#suffix}_${call}` : id
    this.#calls.set(call, new CallItem(this.#output, callId, tool))
  }

  addArguments(call: number, json: string): void {
    this.#calls.get(call)?.add(json)
  }

  endCall(call: number): void {
    this.#calls.get(call)?.close('completed')
  }

  /** Images are items of their own; other media are linked in the text. */
  addMedia(media: MediaPart): void {
    const made = imageItem(media)
    if (made === undefined) this.addText(linkOf(media))
    else this.#addImage(made)
  }

  #addImage(made: JsonObject): void {
    this.#closeSpoken('completed')
    const item = this.#output.start('ig', { type: made.type, status: 'in_progress', result: null })
    item.emit('image_generation_call.in_progress')
    item.emit('image_generation_call.completed')
    item.done(made)
  }

  close(status: ItemStatus): void {
    this.#closeSpoken(status)
    for (const call of this.#calls.values()) call.close(status)
  }

  #speak(): MessageItem {
    if (this.#message?.isOpen === true) return this.#message
    this.#closeSpoken('completed')
    this.#message = new MessageItem(this.#output)
    return this.#message
  }

  #think(): ReasoningItemWriter {
    if (this.#reasoning?.isOpen === true) return this.#reasoning
    this.#closeSpoken('completed')
    this.#reasoning = new ReasoningItemWriter(this.#output)
    return this.#reasoning
  }

  #closeSpoken(status: ItemStatus): void {
    this.#message?.close(status)
    this.#reasoning?.close()
  }
}
