import { describe, expect, it } from 'bun:test'
import { decodeErrorBody } from '../errors/decode-error.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { ByteStreamReader, EventStreamReader } from './event-stream.ts'
import { WireResponse } from './plain-codec.ts'
import { readMediaUsage, readModeResponse } from './responses.ts'
import { readTranscription } from './transcription.ts'

const event = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const delta = event({ type: 'transcript.text.delta', delta: 'hé' })
const done = event({
  type: 'transcript.text.done',
  text: 'hé',
  usage: { input_tokens: 14, output_tokens: 3 },
})

function readEvents(pieces: readonly Uint8Array[]) {
  const reader = new EventStreamReader({
    output: 'text',
    maxFrameBytes: 1000,
    decodeError: (failure) => decodeErrorBody(failure),
  })
  const steps = [...pieces.map((piece) => reader.push(piece)), reader.end()]
  const forwarded = steps.flatMap(({ forward }) => forward.map(decodeUtf8)).join('')
  return { reader, forwarded, error: steps.find(({ error }) => error !== undefined)?.error }
}

describe('EventStreamReader', () => {
  it('passes events as received and keeps the last for the charge, however the bytes are split', () => {
    const bytes = encodeUtf8(`: hello\n\n${delta}${done}`)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { reader, forwarded } = readEvents([bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(forwarded).toBe(`: hello\n\n${delta}`)
      expect(reader.trailer()).toBe(done)
      expect(reader).toMatchObject({ outcome: 'complete', phase: 'delivering', deliveredSize: 2 })
      expect(reader.usage).toMatchObject({ inputTokens: 14, outputTokens: 3 })
      expect(reader.delivered().text).toBe('hé')
    }
  })

  it('takes a stream without its last event for cut, and one without any for empty', () => {
    expect(readEvents([encodeUtf8(delta)]).reader.outcome).toBe('cut')
    expect(readEvents([encodeUtf8(': hello\n\n')]).reader.outcome).toBe('empty')
  })

  it('finds failures among the events', () => {
    for (const failure of [
      { type: 'error', error: { message: 'busy' } },
      { error: { message: 'busy' } },
      'busy',
    ]) {
      const { reader, error } = readEvents([encodeUtf8(delta + event(failure) + done)])
      expect([reader.outcome, error !== undefined]).toEqual(['cut', true])
    }
    expect(readEvents([encodeUtf8(`data: ${'x'.repeat(2000)}\n\n`)]).error?.code).toBe('frame_too_large')
  })
})

describe('ByteStreamReader', () => {
  it('is complete where its bytes end, and empty without any', () => {
    const reader = new ByteStreamReader(undefined)
    expect([reader.push(new Uint8Array()).forward, reader.phase]).toEqual([[], 'waiting'])
    expect(reader.push(Uint8Array.of(1)).forward).toEqual([Uint8Array.of(1)])
    expect([reader.phase, reader.outcome]).toEqual(['delivering', 'cut'])
    expect([reader.end().done, reader.outcome, reader.trailer()]).toEqual([true, 'complete', ''])
    const empty = new ByteStreamReader(undefined)
    empty.end()
    expect(empty.outcome).toBe('empty')
  })
})

describe('readMediaUsage', () => {
  it.each([
    [
      { input_tokens: 44, output_tokens: 1056, input_tokens_details: { image_tokens: 4 } },
      'image',
      { inputTokens: 44, imageInputTokens: 4, imageOutputTokens: 1056 },
    ],
    [
      { input_tokens: 10, output_tokens: 9, output_tokens_details: { text_tokens: 4, image_tokens: 5 } },
      'image',
      { outputTokens: 9, imageOutputTokens: 5 },
    ],
    [{ input_tokens: 14, output_tokens: 101 }, 'audio', { inputTokens: 14, audioOutputTokens: 101 }],
    [
      { type: 'tokens', input_tokens: 14, input_token_details: { audio_tokens: 10 }, output_tokens: 3 },
      'text',
      { audioInputTokens: 10, audioOutputTokens: 0 },
    ],
    [
      { input_tokens: 10, output_tokens: 1, input_tokens_details: { cached_tokens: 6 } },
      'text',
      { inputTokens: 4, cacheReadTokens: 6 },
    ],
  ] as const)('reads %p', (raw, output, expected) => {
    expect(readMediaUsage(raw, output)).toMatchObject(expected)
  })

  it('believes nothing that cannot be charged', () => {
    for (const raw of [
      undefined,
      null,
      5,
      {},
      { type: 'duration', seconds: 3 },
      { input_tokens: -1, output_tokens: 5 },
      { input_tokens: 0, output_tokens: 0 },
    ])
      expect(readMediaUsage(raw, 'text')).toBeUndefined()
  })
})

describe('readTranscription', () => {
  const decodeError = (failure: Parameters<typeof decodeErrorBody>[0]) => decodeErrorBody(failure)
  const read = (body: string, type: string, format: string) =>
    readTranscription(new WireResponse(encodeUtf8(body), type), format, decodeError)

  it('knows a response of every format from a failure', () => {
    expect(read('{"text":"hi"}', 'application/json', '').ok).toBe(true)
    expect(read('hi', 'text/plain', 'text').ok).toBe(true)
    expect(read('{"text":"hi"}', 'application/json', 'text').ok).toBe(true)
    expect(read('hi', 'application/json', 'text').ok).toBe(true)
    expect(read('hi', 'text/plain', 'json').ok).toBe(false)
    expect(read('{"error":{"message":"no"}}', 'application/json', 'srt').ok).toBe(false)
    expect(read('', '', '').ok).toBe(false)
  })
})

describe('readModeResponse', () => {
  it('takes a list where it is wanted, and no failure for one', () => {
    const ok = (mode: 'moderations' | 'rerank' | 'images' | 'speech', body: unknown) =>
      readModeResponse(mode, JSON.stringify(body), (failure) => decodeErrorBody(failure)).ok
    expect(ok('moderations', { results: [{ flagged: true }] })).toBe(true)
    expect(ok('rerank', { results: [], usage: { total_tokens: 5 } })).toBe(true)
    expect(ok('images', { data: [{ url: 'https://a/1' }] })).toBe(true)
    for (const mode of ['moderations', 'rerank', 'images', 'speech'] as const)
      for (const body of [{}, [], null, { error: { message: 'no' } }, { data: [], results: [], error: 'no' }])
        expect([mode, body, ok(mode, body)]).toEqual([mode, body, false])
  })
})
