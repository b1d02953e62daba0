import { describe, expect, it } from 'bun:test'
import {
  problemsOfStream,
  type ResponseDialect,
  responseSchemas,
} from '../../../../tests/support/schemas/index.ts'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import type { ChatCodec } from '../canonical/codec.ts'
import { SseScanner } from '../framing/sse.ts'
import { JsonArrayWriter } from '../framing/writer.ts'
import { gemini } from '../gemini/codec.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { ResponseStream, type ResponseStreamOptions } from '../translation/response-stream.ts'
import { usageOf } from '../usage.ts'
import { automatonOf } from './build-automaton.ts'
import { FilteredStream } from './filter-stream.ts'
import { textsOf } from './response-texts.ts'

const maxFrameBytes = 1 << 20
const call = { model: 'm', responseId: 'id', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }
const codecs = { openAiChat, openAiResponses, anthropicMessages, gemini } as const
const usage = usageOf({ inputTokens: 3, outputTokens: 4 })

/** A stream of these pieces of text as an upstream of the format sends it. */
function wire(codec: ChatCodec, pieces: readonly string[]): string {
  const state = codec.encodeStream.start(call)
  const parts = [
    { type: 'start', id: 'up-1', model: 'm', createdAt: 1 },
    { type: 'open', candidate: 0 },
    ...pieces.map((text) => ({ type: 'text-delta', candidate: 0, text }) as const),
    { type: 'stop', candidate: 0, stop: { reason: 'stop' } },
    { type: 'usage', usage },
  ] as const
  const frames = [
    ...parts.flatMap((part) => codec.encodeStream.step(state, part)),
    ...codec.encodeStream.finish(state, usage),
  ]
  return frames.map(({ event, data }) => `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`).join('')
}

interface Filtered {
  readonly text: string
  readonly outcome: string
  readonly delivered: string
}

function filtered(
  upstream: ChatCodec,
  caller: ChatCodec,
  body: string,
  { stop, split, isList = false }: { stop: boolean; split: number; isList?: boolean },
): Filtered {
  const encode: ResponseStreamOptions['encode'] =
    upstream === caller ? (isList ? 'as-events' : 'as-received') : { codec: caller, call }
  const inner = new ResponseStream({
    scanner: new SseScanner(maxFrameBytes),
    decoder: upstream,
    encode,
    maxFrameBytes,
    ...(isList && { writer: new JsonArrayWriter() }),
  })
  const texts = textsOf(caller.format)
  if (texts === undefined) throw new Error('no texts')
  const filter = { automaton: automatonOf(['forbidden', '禁词']), stop }
  const stream = new FilteredStream(inner, { filter, texts, isList, includeUsage: true, maxFrameBytes })
  const bytes = encodeUtf8(body)
  let text = ''
  const steps = [() => stream.push(bytes.subarray(0, split)), () => stream.push(bytes.subarray(split))]
  for (const next of [...steps, () => stream.end()]) {
    const step = next()
    expect(step.error).toBeUndefined()
    for (const piece of step.forward) text += decodeUtf8(piece)
    if (step.done) break
  }
  return { text: text + stream.trailer(usage), outcome: stream.outcome, delivered: stream.delivered().text }
}

/** The text as a client of the format reads it. */
function readText(codec: ChatCodec, body: string): { text: string; stops: string[]; clean: boolean } {
  const state = codec.decodeStream.start()
  const frames = new SseScanner(maxFrameBytes).push(encodeUtf8(body))
  const parts = frames.flatMap(({ event, data }) =>
    data === undefined ? [] : codec.decodeStream.step(state, { event, data: decodeUtf8(data) }),
  )
  return {
    text: parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join(''),
    stops: parts.flatMap((part) => (part.type === 'stop' ? [part.stop.reason] : [])),
    clean: !parts.some(({ type }) => type === 'error'),
  }
}

const schemaOf = ({ format }: ChatCodec) => responseSchemas[format as ResponseDialect]
const pairs = Object.entries(codecs).flatMap(([from, upstream]) =>
  Object.entries(codecs).map(
    ([to, caller]) => [from, to, upstream as ChatCodec, caller as ChatCodec] as const,
  ),
)
/** Odd, so that cuts fall on every kind of place. */
const strideOf = (upstream: ChatCodec, caller: ChatCodec) => (upstream === caller ? 23 : 211)
const pieces = ['Say ', 'no FORB', 'idd', 'en word', ' or 禁', '词, and', ' for', 'get it.']
const plain = ['All', ' is for', 'gotten.']

describe.each(pairs)('a stream from %s to %s', (_from, _to, upstream, caller) => {
  it('has every word replaced, over the borders of events, wherever its bytes are cut', () => {
    const body = wire(upstream, pieces)
    for (let split = 0; split <= encodeUtf8(body).length; split += strideOf(upstream, caller)) {
      const { text, outcome } = filtered(upstream, caller, body, { stop: false, split })
      expect(outcome).toBe('complete')
      expect(problemsOfStream(schemaOf(caller), text)).toBe('')
      expect(text).not.toMatch(/forbidden|禁词/i)
      expect(readText(caller, text).text).toBe('Say no **###** word or **###**, and forget it.')
    }
  })

  it('ends before the first word, by the filter’s reason', () => {
    const body = wire(upstream, pieces)
    for (let split = 0; split <= encodeUtf8(body).length; split += strideOf(upstream, caller)) {
      const { text, outcome, delivered } = filtered(upstream, caller, body, { stop: true, split })
      expect(outcome).toBe('stopped')
      expect(problemsOfStream(schemaOf(caller), text)).toBe('')
      const read = readText(caller, text)
      expect(read.text).toBe('Say no ')
      expect(delivered).toBe('Say no ')
      expect(read.clean).toBe(true)
      expect(['content-filter', 'refused']).toContain(read.stops.at(-1) ?? '')
    }
  })

  it('passes as it is without a word in it', () => {
    const body = wire(upstream, plain)
    const { text } = filtered(upstream, caller, body, { stop: true, split: 40 })
    expect(readText(caller, text)).toEqual({ text: 'All is forgotten.', stops: ['stop'], clean: true })
    if (upstream === caller) expect(text).toBe(body)
  })
})

describe('a stream as one list', () => {
  it('stays a list, with words replaced or ended before them', () => {
    for (const [upstream, stop] of [
      [gemini, false],
      [openAiChat, false],
      [gemini, true],
      [openAiChat, true],
    ] as const) {
      const codec = upstream as ChatCodec
      const body = wire(codec, pieces)
      for (let split = 0; split <= body.length; split += 61) {
        const list = JSON.parse(filtered(codec, gemini, body, { stop, split, isList: true }).text)
        const stated = list
          .flatMap(({ candidates = [] }) => candidates)
          .flatMap(({ content }: { content?: { parts?: { text?: string }[] } }) => content?.parts ?? [])
          .map(({ text = '' }: { text?: string }) => text)
          .join('')
        expect(stated).toBe(stop ? 'Say no ' : 'Say no **###** word or **###**, and forget it.')
      }
    }
  })
})
