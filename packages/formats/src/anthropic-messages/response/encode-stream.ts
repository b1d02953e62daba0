import type { EncodeContext, StreamEncoder, TextFrame } from '../../canonical/codec.ts'
import type { Signature } from '../../canonical/request.ts'
import type { Stop } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { JsonTemplate } from '../../json/template.ts'
import type { JsonObject } from '../../json/value.ts'
import { signaturesAhead, wrapSignature } from '../../requests/foreign-signatures.ts'
import { noUsage, promptTokensOf, type Usage, usageOf } from '../../usage.ts'
import { encodeCitation, encodeEncrypted, encodeSignature, redactedBlock, toolUseId } from '../blocks.ts'
import { BlockQueue } from './block-queue.ts'
import { mediaText, messageHead } from './encode-response.ts'
import { encodeStreamError } from './error.ts'
import { encodeStop, type WireStop } from './stop.ts'
import { encodeUsage } from './usage.ts'

/** State of the stream that the caller has been sent so far. */
export interface EncodeState {
  /** Pieces of the text block with this index, which most events are. */
  texts: { readonly index: number; readonly json: JsonTemplate } | undefined
  readonly call: EncodeContext
  readonly blocks: BlockQueue
  started: boolean
  /** Usage that the upstream counted before the response began. */
  firstUsage: Usage | undefined
  refused: boolean
  /** Another vendor's signature of the last text, until it is known whether a call follows. */
  textSignature: Signature | undefined
  stop: Stop | undefined
  /** More was buffered than is kept: the stream has ended with an error. */
  failed: boolean
}

export const encodeStream: StreamEncoder<EncodeState> = {
  start: (call) => ({
    texts: undefined,
    call,
    blocks: new BlockQueue(),
    started: false,
    firstUsage: undefined,
    refused: false,
    textSignature: undefined,
    stop: undefined,
    failed: false,
  }),
  step(state, part) {
    if (state.failed || ('candidate' in part && part.candidate !== 0)) return none
    const index = part.type === 'text-delta' && part.text !== '' ? state.blocks.openText : undefined
    if (part.type === 'text-delta' && index !== undefined) return [textFrame(state, index, part.text)]
    const frames = begin(state, part)
    writePart(state, part)
    frames.push(...state.blocks.flush().map(frameOf))
    return state.blocks.overflows ? fail(state, frames) : frames
  },
  finish(state, usage) {
    if (state.failed) return none
    const frames = begin(state, undefined)
    state.blocks.closeContent()
    state.blocks.abandonCalls()
    frames.push(...state.blocks.flush().map(frameOf))
    const stop: Stop = state.refused ? { reason: 'refused' } : (state.stop ?? { reason: 'stop' })
    frames.push(frameOf(messageDelta(encodeStop(stop), usage)))
    frames.push(frameOf({ type: 'message_stop' }))
    return frames
  },
}

/** Returns why a message ended, and what it used. */
export function messageDelta(stop: WireStop, usage: Usage): JsonObject {
  return { type: 'message_delta', delta: { container: null, ...stop }, usage: encodeUsage(usage) }
}

const none: readonly TextFrame[] = []

function frameOf(event: JsonObject): TextFrame {
  return { event: String(event.type), data: JSON.stringify(event) }
}

/** A further piece of the text that is open. */
function textFrame(state: EncodeState, index: number, text: string): TextFrame {
  if (state.texts?.index !== index) state.texts = { index, json: new JsonTemplate(pieceOf(index)) }
  return { event: 'content_block_delta', data: state.texts.json.with(text) }
}

const pieceOf = (index: number) => (text: string) => {
  return { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }
}

const reportedElsewhere: ReadonlySet<ChatPart['type']> = new Set([
  'left-out',
  'tool-ran',
  'usage',
  'error',
  'end',
])

/** Parts that other events carry do not begin a response. */
function beginsResponse(part: ChatPart | undefined): boolean {
  return part === undefined || !reportedElsewhere.has(part.type)
}

/** `message_start` comes before everything, once; the usage at the end replaces its own. */
function begin(state: EncodeState, part: ChatPart | undefined): TextFrame[] {
  if (state.started) return []
  if (part?.type === 'usage') state.firstUsage = part.usage
  if (!beginsResponse(part)) return []
  state.started = true
  const { responseId } = state.call
  const message = {
    ...messageHead(part?.type === 'start' && part.id !== '' ? part.id : responseId, state.call),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: encodeUsage(promptUsage(state)),
  }
  return [frameOf({ type: 'message_start', message })]
}

/**
 * Clients take the prompt's tokens from the first event: the upstream's count where its own first event holds one (Gemini,
 * and OpenAI's form with usage in every chunk), else our estimate.
 */
function promptUsage({ firstUsage, call }: EncodeState): Usage {
  const reported = firstUsage !== undefined && promptTokensOf(firstUsage) > 0
  if (!reported) return { ...noUsage, inputTokens: call.estimatedInputTokens }
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = firstUsage
  return usageOf({ inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens })
}

/**
 * Puts a part into its block. Other events carry beginnings and ends; no event carries log probabilities. A text's
 * signature comes when its block has begun, and no event adds a member to a block: it goes ahead of a call, where
 * reasoning is at home. Without a call it is left out, which Gemini allows: reasoning behind the last text would take its
 * place as the result (see `BlockQueue`).
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function writePart(state: EncodeState, part: ChatPart): void {
  const { blocks } = state
  switch (part.type) {
    case 'refusal-delta':
      state.refused = true
      blocks.addText(part.text)
      break
    case 'text-delta':
      blocks.addText(part.text)
      break
    case 'text-signature':
      state.textSignature = part.signature
      break
    case 'media':
      blocks.addText(mediaText(part.media))
      break
    case 'citation':
      blocks.addCitation(encodeCitation(part.citation))
      break
    case 'reasoning-delta':
      blocks.addThinking(part.text)
      break
    case 'reasoning-signature':
      blocks.endThinking(encodeSignature(part.signature))
      break
    case 'reasoning-encrypted':
      writeEncrypted(blocks, part.encrypted)
      break
    case 'stop':
      state.stop ??= part.stop
      blocks.closeContent()
      break
    default:
      writeCall(state, part)
  }
}

/** Writes encrypted reasoning: another vendor's ends the open reasoning block; Anthropic's is a block of its own. */
function writeEncrypted(blocks: BlockQueue, encrypted: Signature): void {
  if (encrypted.vendor !== 'anthropic' && blocks.isThinking)
    blocks.endThinking(wrapSignature('encrypted', encrypted))
  else blocks.addComplete(redactedBlock(encodeEncrypted(encrypted)))
}

function writeCall(state: EncodeState, part: ChatPart): void {
  const { blocks, call } = state
  switch (part.type) {
    case 'tool-call-start':
      for (const { mark } of signaturesAhead(state.textSignature, part.signature))
        blocks.endThinking(wrapSignature(mark.kind, mark.signature))
      state.textSignature = undefined
      blocks.startCall(part.call, toolUseId(part.id, call, part.call), part.name)
      break
    case 'tool-call-delta':
      blocks.addArguments(part.call, part.arguments)
      break
    case 'tool-call-end':
      blocks.endCall(part.call)
      break
  }
}

function fail(state: EncodeState, frames: readonly TextFrame[]): readonly TextFrame[] {
  state.failed = true
  const message = 'the upstream sends more content out of order than can be buffered'
  const error = { status: 502, message, type: 'upstream_error', param: null, code: null }
  return [...frames, ...encodeStreamError(error)]
}
