import type { MediaPart, Signature } from '../../canonical/request.ts'
import type { Citation, TokenLogprob } from '../../canonical/response.ts'
import type { JsonTemplate } from '../../json/template.ts'
import type { JsonObject } from '../../json/value.ts'
import { linkOf } from '../../openai-chat/response/encode-response.ts'
import { type DetachedSignature, wrapSignature } from '../../requests/foreign-signatures.ts'
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
 * The output of a response: content goes into its open item, or begins one. Messages and reasoning end where another item
 * begins; several tool calls may be open at once, each until its own end.
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
   * Adds to the open text; `undefined` without one.
   * @returns the template by which the caller writes the event
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

  /** Ends the open reasoning item, or a new one without text. */
  addSignature(signature: Signature): void {
    this.#think().closeWith({ signature })
  }

  /** Anthropic's encrypted reasoning is an item of its own; that of others belongs to the open reasoning item. */
  addEncrypted(encrypted: Signature): void {
    if (encrypted.vendor === 'anthropic') this.#closeSpoken('completed')
    this.#think().closeWith({ encrypted })
  }

  /**
   * Another vendor's signature of a text or call, in an item that clients return unread: that of the reasoning which ends
   * here, else one of its own.
   */
  addMark({ mark: { kind, signature } }: DetachedSignature): void {
    this.#think().end(wrapSignature(kind, signature))
  }

  /** @param opaque the conversation in a form that clients send back unread */
  addCompaction(opaque: string): void {
    this.#closeSpoken('completed')
    const item = { type: 'compaction', encrypted_content: opaque }
    this.#output.start('cmp', item).done(item)
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

  /** Adds media: images are items of their own; other media are linked in the text. */
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

  /** Calls that are still open are cut, however the response ended. */
  close(status: ItemStatus): void {
    this.#closeSpoken(status)
    for (const call of this.#calls.values()) call.close('incomplete')
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
    this.#reasoning?.close(status)
  }
}
