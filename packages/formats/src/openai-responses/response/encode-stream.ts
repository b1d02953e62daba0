import type { EncodeContext, StreamEncoder, TextFrame } from '../../canonical/codec.ts'
import type { Signature } from '../../canonical/request.ts'
import type { Stop } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import type { JsonObject } from '../../json/value.ts'
import { signaturesAhead } from '../../requests/foreign-signatures.ts'
import { toolNames } from '../tool-names.ts'
import { asCallersRead, errorEvent, frameOf } from './error.ts'
import {
  endedResponse,
  failedResponse,
  itemSuffix,
  responseHead,
  responseIdFor,
  startedResponse,
} from './response-object.ts'
import { ResponseOutput } from './response-output.ts'
import { encodeStop } from './stop.ts'

/** State of the stream that the caller has been sent so far. */
export interface EncodeState {
  readonly call: EncodeContext
  /** JSON of the members that every event with the complete response repeats; set, like `output`, when the response begins. */
  head: string
  output: ResponseOutput | undefined
  stop: Stop | undefined
  /** Another vendor's signature of the last text, which goes ahead of a call alone: see `detachSignatures`. */
  textSignature: Signature | undefined
  sequence: number
  frames: TextFrame[]
}

/** The last event waits for `finish`, when the response is charged. */
export const encodeStream: StreamEncoder<EncodeState> = {
  start: (call) => ({
    call,
    head: '',
    output: undefined,
    stop: undefined,
    textSignature: undefined,
    sequence: 0,
    frames: [],
  }),
  step(state, part) {
    const piece = textPiece(state, part)
    if (piece !== undefined) return [piece]
    if (isSilent(part)) return none
    writePart(state, outputOf(state, part), part)
    return takeFrames(state)
  },
  finish(state, usage) {
    const output = outputOf(state, undefined)
    const stop = encodeStop(state.stop ?? { reason: 'stop' }, output.hasRefusal)
    output.close(stop.status)
    writeResponse(state, stop.status, endedResponse(stop, output.items, usage, state.call))
    return takeFrames(state)
  },
  /** Leaves open what is open: a call whose arguments are cut must not be made. */
  fail(state, failure) {
    const error = asCallersRead(failure)
    outputOf(state, undefined)
    write(state, errorEvent(error))
    writeResponse(state, 'failed', failedResponse(error))
    return takeFrames(state)
  },
}

const none: readonly TextFrame[] = []

/** Parts that other events carry do not begin a response; it has one candidate, because the format cannot request more. */
function isSilent(part: ChatPart): boolean {
  if ('candidate' in part) return part.candidate !== 0
  return part.type !== 'start'
}

function write(state: EncodeState, event: JsonObject): void {
  const { type, ...rest } = event
  state.frames.push(frameOf({ type, sequence_number: state.sequence++, ...rest }))
}

/** @param stated what the event says of the response beside its head */
function writeResponse(state: EncodeState, name: string, stated: JsonObject): void {
  const event = `response.${name}`
  const response = `${state.head.slice(0, -1)},${JSON.stringify(stated).slice(1)}`
  state.frames.push({
    event,
    data: `{"type":"${event}","sequence_number":${state.sequence++},"response":${response}}`,
  })
}

const textEvent = 'response.output_text.delta'
const textHead = `{"type":"${textEvent}","sequence_number":`

/** A further piece of the text that is open. */
function textPiece(state: EncodeState, part: ChatPart): TextFrame | undefined {
  if (part.type !== 'text-delta' || part.candidate !== 0) return undefined
  const piece = state.output?.addPiece(part.text)
  if (piece === undefined) return undefined
  return { event: textEvent, data: piece.numbered(textHead, state.sequence++, part.text) }
}

function takeFrames(state: EncodeState): readonly TextFrame[] {
  const { frames } = state
  state.frames = []
  return frames
}

/** The response's output; its first two events come before everything, once. */
export function outputOf(state: EncodeState, part: ChatPart | undefined): ResponseOutput {
  if (state.output !== undefined) return state.output
  const { call } = state
  const start = part?.type === 'start' ? part : undefined
  const id = responseIdFor(start?.id ?? '', call)
  state.head = JSON.stringify(responseHead(id, start?.createdAt || call.createdAt, call))
  writeResponse(state, 'created', startedResponse)
  writeResponse(state, 'in_progress', startedResponse)
  const names = toolNames(call.echo?.tools)
  state.output = new ResponseOutput(itemSuffix(id), names, { event: (event) => write(state, event) })
  return state.output
}

function writePart(state: EncodeState, output: ResponseOutput, part: ChatPart): void {
  switch (part.type) {
    case 'text-delta':
      output.addText(part.text)
      break
    case 'text-signature':
      state.textSignature = part.signature
      break
    case 'refusal-delta':
      output.addRefusal(part.text)
      break
    case 'reasoning-delta':
      output.addReasoning(part.text)
      break
    case 'reasoning-signature':
      output.addSignature(part.signature)
      break
    case 'reasoning-encrypted':
      output.addEncrypted(part.encrypted)
      break
    case 'media':
      output.addMedia(part.media)
      break
    case 'citation':
      output.addCitation(part.citation)
      break
    case 'logprobs':
      output.addLogprobs(part.logprobs)
      break
    case 'stop':
      state.stop ??= part.stop
      break
    default:
      writeCall(state, output, part)
  }
}

function writeCall(state: EncodeState, output: ResponseOutput, part: ChatPart): void {
  switch (part.type) {
    case 'tool-call-start':
      for (const mark of signaturesAhead(state.textSignature, part.signature)) output.addMark(mark)
      state.textSignature = undefined
      output.startCall(part.call, part.id, part.name)
      break
    case 'tool-call-delta':
      output.addArguments(part.call, part.arguments)
      break
    case 'tool-call-end':
      output.endCall(part.call)
      break
  }
}
