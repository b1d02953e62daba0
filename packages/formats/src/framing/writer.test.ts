import { describe, expect, it } from 'bun:test'
import { unwrapBedrockEvent } from './aws-event-stream.ts'
import { MalformedFrameError } from './frame.ts'
import { SseScanner } from './sse.ts'
import { readFrames } from './test-support/read-frames.ts'
import { JsonArrayWriter, sseWriter } from './writer.ts'

describe('sseWriter', () => {
  it('writes what SseScanner reads, with a line for each line of the payload', () => {
    expect(sseWriter.write({ event: 'e', data: 'a' })).toBe('event: e\ndata: a\n\n')
    expect(sseWriter.write({ data: 'a' })).toBe('data: a\n\n')
    const text = sseWriter.write({ event: '', data: '{\r\n "a":\n1\r}' })
    expect(readFrames(new SseScanner(100), [new TextEncoder().encode(text)])).toMatchObject([
      { event: '', data: '{\n "a":\n1\n}' },
    ])
  })
})

describe('JsonArrayWriter', () => {
  it('writes one list, whatever it holds', () => {
    expect(new JsonArrayWriter().end()).toBe('[]')
    const writer = new JsonArrayWriter()
    const text = writer.write({ data: '{"a":1}' }) + writer.write({ data: '{"b":2}' }) + writer.end()
    expect(JSON.parse(text)).toEqual([{ a: 1 }, { b: 2 }])
  })
})

describe('unwrapBedrockEvent', () => {
  it('takes the event out and names it by its type, and nothing out of other events', () => {
    const inner = '{"type":"ping","é":"漢"}'
    const data = JSON.stringify({ bytes: Buffer.from(inner).toString('base64') })
    expect(unwrapBedrockEvent({ event: 'chunk', data })).toEqual({ event: 'ping', data: inner })
    expect(unwrapBedrockEvent({ event: 'chunk', data: '{}' })).toBeUndefined()
    for (const other of ['', '{"bytes":5}', '{"bytes":"***"}', 'null', '<html>'])
      expect(() => unwrapBedrockEvent({ event: 'chunk', data: other })).toThrow(MalformedFrameError)
  })
})
