import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatCodec } from '../canonical/codec.ts'
import { chatCodecs } from '../codecs.ts'
import {
  AwsEventStreamScanner,
  BufferedBodyScanner,
  type FrameScanner,
  JsonArrayScanner,
  NdjsonScanner,
  SseScanner,
  unwrapBedrockEvent,
} from '../framing/index.ts'
import { encodeUtf8 } from '../json/utf8.ts'
import { ResponseStream } from './response-stream.ts'

const maxFrameBytes = 4096
const scanners: Readonly<Record<string, () => FrameScanner>> = {
  sse: () => new SseScanner(maxFrameBytes),
  ndjson: () => new NdjsonScanner(maxFrameBytes),
  'json-array': () => new JsonArrayScanner(maxFrameBytes),
  'aws-event-stream': () => new AwsEventStreamScanner(maxFrameBytes),
  'whole body': () => new BufferedBodyScanner(maxFrameBytes),
}

const json = fc.jsonValue().map((value) => JSON.stringify(value))
const line = fc.oneof(
  json.map((text) => `data: ${text}\n\n`),
  json.map((text) => `event: content_block_delta\ndata: ${text}\n\n`),
  json.map((text) => `[${text},\n`),
  fc.constantFrom('data: [DONE]\n\n', 'data: {"choices":[{"delta":{"content":7}}]}\r\n\r\n', ': ping\n', ']'),
)
const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  line.map(encodeUtf8),
  fc.constant(Uint8Array.of(0xc3, 0x28)),
)
const codecs: readonly ChatCodec[] = Object.values(chatCodecs)
const call = { model: 'm', responseId: 'a', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }

describe.each(Object.keys(scanners))('a stream framed as %s', (framing) => {
  it('never throws, whatever its bytes are and in whatever pieces they come', () => {
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 12 }),
        fc.constantFrom(...codecs),
        fc.constantFrom(...codecs),
        (chunks, decoder, codec) => {
          const scanner = scanners[framing]?.()
          if (scanner === undefined) throw new Error(framing)
          const unwrap = framing === 'aws-event-stream' ? { unwrap: unwrapBedrockEvent } : {}
          const encode = decoder === codec ? ('as-received' as const) : { codec, call }
          const stream = new ResponseStream({ scanner, decoder, encode, maxFrameBytes, ...unwrap })
          for (const bytes of chunks) stream.push(bytes)
          stream.end()
          expect(stream.trailer(stream.usage)).toBeString()
        },
      ),
      { numRuns: 400 },
    )
  })
})
