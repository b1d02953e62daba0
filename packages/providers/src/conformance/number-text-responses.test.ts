import { describe, expect, it } from 'bun:test'
import {
  type ChatCodec,
  type ChatResponse,
  collectResponse,
  gemini,
  ResponseStream,
  SseScanner,
  type StreamReader,
  singleEventCodec,
  type TextFrame,
  translateResponse,
} from '@tollgate/formats'
import fc from 'fast-check'
import {
  type CallingUpstream,
  call,
  callingUpstreams,
  publicCodecs,
  usage,
} from '../test-support/number-responses.ts'
import { anyValueText, filled, membersNamed, withNumberTexts } from '../test-support/number-samples.ts'

const maxFrameBytes = 1 << 20
const utf8 = new TextEncoder()
const anyArguments = anyValueText.map((value) => `{"first":1,"probe":${value}}`)
const anyPieces = fc.integer({ min: 1, max: 200 })

const pairs = callingUpstreams.flatMap((upstream) =>
  publicCodecs
    .filter(({ format }) => format !== upstream.name)
    .map((codec) => [upstream.name, codec.format, upstream, codec] as const),
)
const buffered = pairs.filter(([, , upstream]) => upstream.buffered !== undefined)
const streamed = pairs.filter(([, , upstream]) => upstream.streamed !== undefined)

describe('a buffered response', () => {
  it.each(buffered)('from %s to %s keeps the text of numbers', (_from, _to, upstream, codec) => {
    fc.assert(
      fc.property(anyArguments, (args) => {
        const body = upstream.buffered?.(args) ?? ''
        expect(membersNamed('probe', translated(body, upstream, codec))).toEqual(membersNamed('probe', args))
      }),
    )
  })

  it.each(buffered)(
    'from %s to a caller of %s that asked for a stream does, too',
    (_from, _to, upstream, codec) => {
      fc.assert(
        fc.property(anyArguments, anyPieces, (args, size) => {
          const decoder = singleEventCodec(upstream.codec, codec.callRules)
          const frame = `data: ${upstream.buffered?.(args)}\n\n`
          expectArguments(received(frame, { ...upstream, codec: decoder }, codec, size), codec, args)
        }),
        { numRuns: 30 },
      )
    },
  )
})

function translated(body: string, upstream: CallingUpstream, codec: ChatCodec): string {
  const reading = translateResponse(body, upstream.codec, codec, call)
  if (!reading.ok) throw new Error(reading.error.message)
  return reading.encode(usage)
}

describe('a streamed response', () => {
  it.each(streamed)(
    'from %s to %s keeps the text of numbers, however it is cut',
    (_from, _to, upstream, codec) => {
      fc.assert(
        fc.property(anyArguments, anyPieces, (args, size) => {
          const wire = textOf(upstream.streamed?.(args) ?? [])
          expectArguments(received(wire, upstream, codec, size), codec, args)
        }),
        { numRuns: 60 },
      )
    },
  )

  it('of Gemini in pieces of arguments keeps the text of numbers', () => {
    fc.assert(
      fc.property(
        anyValueText,
        fc.constantFrom('9007199254740993123', '1e400', '-0', '1.0'),
        (value, number) => {
          const [piece, last] = [
            { functionCall: { name: 'f', args: { probe: '@value' }, willContinue: true } },
            {
              functionCall: {
                partialArgs: [{ jsonPath: '$.second', numberValue: '@number' }],
                willContinue: false,
              },
            },
          ]
          const chunks = [piece, last].map((part, position) => ({
            candidates: [
              {
                index: 0,
                content: { role: 'model', parts: [part] },
                ...(position === 1 && { finishReason: 'STOP' }),
              },
            ],
          }))
          const wire = chunks.map((chunk) => `data: ${filled(chunk, { value, number })}\n\n`).join('')
          for (const codec of publicCodecs.filter((each) => each !== gemini)) {
            const stated = argumentsIn(received(wire, { name: '', codec: gemini }, codec, 50), codec)
            expect(withNumberTexts(stated)).toEqual(withNumberTexts(`{"probe":${value},"second":${number}}`))
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})

function textOf(frames: readonly TextFrame[]): string {
  return frames.map(({ event, data }) => `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`).join('')
}

/** Returns a stream as its caller gets it when it arrives in pieces of so many bytes. */
function received(wire: string, upstream: CallingUpstream, codec: ChatCodec, size: number): string {
  const reader = new ResponseStream({
    scanner: new SseScanner(maxFrameBytes),
    decoder: upstream.codec,
    encode: { codec, call },
    maxFrameBytes,
  })
  const forwarded = forwardedBy(reader, utf8.encode(wire), size)
  expect(reader.outcome).toBe('complete')
  return forwarded + reader.trailer(usage)
}

function forwardedBy(reader: StreamReader, bytes: Uint8Array, size: number): string {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(...reader.push(bytes.slice(at, at + size)).forward)
  pieces.push(...reader.end().forward)
  return new TextDecoder().decode(Buffer.concat(pieces))
}

function expectArguments(text: string, codec: ChatCodec, args: string): void {
  expect(withNumberTexts(argumentsIn(text, codec))).toEqual(withNumberTexts(args))
}

function argumentsIn(text: string, codec: ChatCodec): string {
  const [part] = responseIn(text, codec).candidates[0]?.parts ?? []
  if (part?.type !== 'tool-call') throw new Error(`no call in ${text}`)
  return part.arguments
}

function responseIn(text: string, { decodeStream }: ChatCodec): ChatResponse {
  const frames = text.split('\n\n').flatMap((frame) => {
    const [, event = ''] = /^event: (.*)$/m.exec(frame) ?? []
    const [, data] = /^data: (.*)$/m.exec(frame) ?? []
    return data === undefined ? [] : [{ event, data }]
  })
  const state = decodeStream.start()
  return collectResponse(frames.flatMap((frame) => decodeStream.step(state, frame)))
}
