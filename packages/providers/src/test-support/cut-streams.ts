import {
  anthropicMessages,
  type ChatCodec,
  decodeUtf8,
  encodeUtf8,
  type Frame,
  gemini,
  openAiChat,
  openAiResponses,
  ResponseStream,
  SseScanner,
  type UpstreamCodec,
} from '@tollgate/formats'
import {
  type Announced,
  type AnnouncedCall,
  type AnnouncingDialect,
  announcedIn,
} from '../../../../tests/support/announced-calls.ts'

/** The formats of callers. */
export const dialects: readonly ChatCodec[] = [openAiChat, openAiResponses, anthropicMessages, gemini]

const call = {
  model: 'asked',
  responseId: 'r1',
  createdAt: 1_760_000_000,
  includeUsage: true,
  estimatedInputTokens: 10,
}

/** The events of a stream, whatever its framing was, as a client of the dialect reads their translation. */
export function announcedAfter(
  codec: UpstreamCodec,
  dialect: ChatCodec,
  frames: readonly Frame[],
): Announced & { readonly outcome: string } {
  const stream = new ResponseStream({
    scanner: new SseScanner(1 << 20),
    decoder: codec,
    encode: { codec: dialect, call },
    maxFrameBytes: 1 << 20,
  })
  const bytes = encodeUtf8(frames.map(written).join(''))
  const forwarded = [stream.push(bytes), stream.end()].flatMap(({ forward }) => forward)
  const text = forwarded.map(decodeUtf8).join('')
  const ending = stream.outcome === 'complete' ? stream.trailer(undefined) : failureOf(stream, dialect)
  const announced = announcedIn(dialect.format as AnnouncingDialect, text + ending)
  return { ...announced, outcome: stream.outcome }
}

/** Returns what the relay writes when a stream is not complete. */
function failureOf(stream: ResponseStream, dialect: ChatCodec): string {
  const error = { status: 502, message: 'cut', type: 'upstream_error', code: 'cut', param: null }
  const events = stream.failure(error) ?? dialect.encodeStreamError(error, call)
  return events.map(({ event = '', data }) => written({ event, data })).join('')
}

function written({ event, data }: Frame): string {
  return `${event === '' ? '' : `event: ${event}\n`}data: ${data}\n\n`
}

/** Members that hold a piece of a call's arguments as text, in any vendor's stream. */
const argumentMembers: ReadonlySet<string> = new Set([
  'arguments',
  'Arguments',
  'partial_json',
  'input',
  'delta',
  'stringValue',
])

/** The place of the event with the reason why a response ended; -1 where none says one. */
function endOf({ decodeStream }: UpstreamCodec, frames: readonly Frame[]): number {
  const state = decodeStream.start()
  return frames.findIndex((frame) =>
    decodeStream.step(state, frame).some(({ type }) => type === 'stop' || type === 'end'),
  )
}

/** A stream that is cut. */
interface CutStream {
  readonly frames: readonly Frame[]
  /** Nothing but an error may end it. */
  readonly fails: boolean
}

/**
 * A stream that is cut behind each event, and inside of each piece of a call's arguments: there its bytes end, or its last
 * events follow as if nothing were missing.
 */
export function cutsOf(codec: UpstreamCodec, frames: readonly Frame[]): readonly CutStream[] {
  const last = endOf(codec, frames)
  const ends = last < 0 ? [] : frames.slice(last)
  return frames.flatMap((frame, index) => {
    const before = frames.slice(0, index)
    const inside = cutArguments(frame, 40).flatMap((cut, retained): readonly CutStream[] => {
      const ended = { frames: [...before, cut], fails: index < last }
      // A call that its upstream ends without a word of arguments is one without arguments.
      if (retained === 0) return index < last ? [ended] : []
      return [ended, { frames: [...before, cut, ...ends], fails: false }]
    })
    return [{ frames: before, fails: index <= last }, ...inside]
  })
}

/**
 * The event with the piece of a call's arguments cut at each of its characters, where it holds such a piece as text.
 * Pieces of texts are cut by the way, which does no harm.
 */
function cutArguments({ event, data }: Frame, maxCuts: number): readonly Frame[] {
  const piece = pieceIn(JSON.parse(data.trim() === '[DONE]' ? '{}' : data))
  const length = piece?.holder[piece.key]?.length ?? 0
  const step = Math.ceil(length / maxCuts) || 1
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => {
    const copy = JSON.parse(data)
    const found = pieceIn(copy)
    if (found !== undefined) found.holder[found.key] = found.holder[found.key]?.slice(0, index * step) ?? ''
    return { event, data: JSON.stringify(copy) }
  })
}

/** Free text of a custom tool is whole wherever its upstream says that it has ended. */
function isFreeText(value: object): boolean {
  return 'type' in value && freeTexts.has(value.type)
}

const freeTexts: ReadonlySet<unknown> = new Set(['custom_tool_call', 'response.custom_tool_call_input.done'])

interface Piece {
  readonly holder: Record<string, string>
  readonly key: string
}

function pieceIn(value: unknown): Piece | undefined {
  if (typeof value !== 'object' || value === null || isFreeText(value)) return undefined
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'string' && argumentMembers.has(key)) return { holder: value as Piece['holder'], key }
    const found = pieceIn(each)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Finds the fault in the reading of a cut stream; empty for none. No client may find a call that is not one of the uncut stream's, or a
 * cheerful end.
 * @param fails nothing but an error may end the stream
 */
export function faultOf(uncut: Announced, { calls, terminal }: Announced, fails: boolean): string {
  const whole = uncut.calls.map(textOf)
  const found = calls.map(textOf)
  const other = found.find((each) => !whole.includes(each))
  if (other !== undefined) return `makes ${other}`
  if (fails && terminal !== 'error') return `ends as ${terminal}`
  return terminal === 'complete' && found.length < whole.length ? 'is complete without a call' : ''
}

function textOf({ name, arguments: text }: AnnouncedCall): string {
  return `${name} ${JSON.stringify(JSON.parse(text))}`
}
