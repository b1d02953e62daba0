import { describe, expect, it } from 'bun:test'
import { encodeUtf8 } from '../json/utf8.ts'
import { SseFieldScanner } from './sse.ts'
import { cutBytes, readFrames } from './test-support/read-frames.ts'

const text =
  'event:add\r\nid:t1\r\ndata: 你好\r\ndata:there \r\n\r\n: ping\n\nevent:finish\ndata:\nmeta:{"a":1}\n'

function scan(positions: readonly number[]) {
  const frames = readFrames(new SseFieldScanner(1 << 20), cutBytes(encodeUtf8(text), positions))
  return frames.filter(({ data }) => data !== undefined).map(({ data = '' }) => JSON.parse(data))
}

describe('SseFieldScanner', () => {
  const events = [
    { event: 'add', id: 't1', data: ' 你好\nthere ' },
    { event: 'finish', data: '', meta: '{"a":1}' },
  ]

  it('gives every field as it stands, also of a last event without its blank line', () => {
    expect(scan([])).toEqual(events)
  })

  it('gives the same wherever the bytes are cut', () => {
    for (let position = 1; position < encodeUtf8(text).length; position++)
      expect(scan([position])).toEqual(events)
  })
})
