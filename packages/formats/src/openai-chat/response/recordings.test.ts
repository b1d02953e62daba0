import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatCodec, EncodeContext } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import type { ChatResponse } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { chatCodecs } from '../../codecs.ts'
import { SseScanner } from '../../framing/sse.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { ResponseStream } from '../../translation/response-stream.ts'
import { promptTokensOf } from '../../usage.ts'
import { openAiChat } from '../codec.ts'

/**
 * Recordings of real vendors stay outside the repository: `<vendor>/<name>.json` is a response, `<vendor>/<name>.chunks.txt`
 * a stream with one payload per line, without framing.
 */
const recordings = process.env.TOLLGATE_RECORDINGS
const vendors = [
  'openai-chat',
  'openai-compatible',
  'groq',
  'deepseek',
  'mistral',
  'moonshotai',
  'alibaba',
  'perplexity',
  'xai',
]
const call: EncodeContext = {
  model: 'm',
  responseId: 'r1',
  createdAt: 1,
  includeUsage: true,
  estimatedInputTokens: 1,
}

function files(vendor: string, suffix: string): readonly string[] {
  if (recordings === undefined) return []
  const folder = join(recordings, vendor)
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix) && !name.includes('error'))
    .map((name) => join(folder, name))
}

interface RawUsage {
  readonly prompt_tokens: number
  readonly total_tokens: number
}

function expectStated(response: ChatResponse, raw: RawUsage): void {
  const { usage } = response
  expect(response.candidates.flatMap((candidate) => candidate.parts).length).toBeGreaterThan(0)
  for (const { parts: stated } of response.candidates)
    for (const part of stated)
      if (part.type === 'tool-call') expect(() => JSON.parse(part.arguments)).not.toThrow()
  if (usage === undefined) throw new Error('no usage was found')
  expect(promptTokensOf(usage)).toBe(raw.prompt_tokens)
  expect(usage.outputTokens).toBe(raw.total_tokens - raw.prompt_tokens)
}

function checkStream(file: string): void {
  const lines = [...readFileSync(file, 'utf8').split('\n').filter(Boolean), '[DONE]']
  const raw = lines
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .findLast((event) => event.usage != null).usage
  const state = openAiChat.decodeStream.start()
  const parts = lines.flatMap((data) => openAiChat.decodeStream.step(state, { event: '', data }))
  expect(parts.some((part) => part.type === 'error')).toBe(false)
  expectStated(collectResponse(parts), raw)
  const bytes = new TextEncoder().encode(lines.map((line) => `data: ${line}\n\n`).join(''))
  for (const codec of Object.values(chatCodecs)) checkConverted(codec, bytes, parts)
}

/** Checks that a caller of the other format reads what the upstream said. */
function checkConverted(codec: ChatCodec, bytes: Uint8Array, stated: readonly ChatPart[]): void {
  const stream = new ResponseStream({
    scanner: new SseScanner(1 << 20),
    decoder: openAiChat,
    encode: { codec, call },
    maxFrameBytes: 1 << 20,
  })
  const pieces = [...stream.push(bytes).forward, ...stream.end().forward]
  expect(stream.outcome).toBe('complete')
  const text = pieces.map((piece) => new TextDecoder().decode(piece)).join('') + stream.trailer(stream.usage)
  const scanner = new SseScanner(1 << 20)
  const state = codec.decodeStream.start()
  const frames = [...scanner.push(new TextEncoder().encode(text)), ...scanner.end()]
  const read = frames.flatMap(({ event, data }) =>
    codec.decodeStream.step(state, { event, data: new TextDecoder().decode(data) }),
  )
  const textIn = (parts: readonly ChatPart[]) =>
    collectResponse(parts)
      .candidates.flatMap((candidate) => candidate.parts.map(textOfPart))
      .join('')
  expect(textIn([...read, ...codec.decodeStream.finish(state)])).toBe(textIn(stated))
}

/** Arguments are an object in some formats: how they were spaced is lost there. */
function textOfPart(part: AssistantPart): string {
  if (part.type === 'tool-call') return part.name + JSON.stringify(JSON.parse(part.arguments))
  return part.type === 'text' ? part.text : ''
}

function checkResponse(file: string): void {
  const body = JSON.parse(readFileSync(file, 'utf8'))
  const reading = openAiChat.decodeResponse(body)
  if (!reading.ok) throw new Error(`${file}: ${reading.error.message}`)
  expectStated(reading.response, body.usage)
}

describe.each(vendors)('recordings of %s', (vendor) => {
  it.skipIf(recordings === undefined)(
    'are decoded whole, with their own counts, and survive every conversion',
    () => {
      const streams = files(vendor, '.chunks.txt')
      const responses = files(vendor, '.json')
      expect(streams.length + responses.length).toBeGreaterThan(0)
      for (const file of streams) checkStream(file)
      for (const file of responses) checkResponse(file)
    },
  )
})
