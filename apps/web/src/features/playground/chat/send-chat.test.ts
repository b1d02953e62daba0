import { describe, expect, it } from 'bun:test'
import type { ResponsePart } from './response-part.ts'
import { readResponse } from './send-chat.ts'

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

async function read(...pieces: readonly Uint8Array[]): Promise<string> {
  const parts: ResponsePart[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  await readResponse(body, (part) => parts.push(part))
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('')
}

const encode = (text: string) => new TextEncoder().encode(text)

describe('a streamed response', () => {
  it('reads the same wherever the network cuts it, inside a character too', async () => {
    const bytes = encode(`: ping\n\n${event('Grüße, 世界 🎟')}${event('!')}data: [DONE]\n\n`)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await read(bytes.subarray(0, cut), bytes.subarray(cut))).toBe('Grüße, 世界 🎟!')
    }
  })

  it('ends on its mark, whatever follows', async () => {
    expect(await read(encode(`${event('one')}data: [DONE]\n\n${event('two')}`))).toBe('one')
  })

  it('counts a last event without its empty line', async () => {
    expect(await read(encode(event('one')), encode(event('two').trimEnd()))).toBe('onetwo')
  })

  it('hands over an error event', async () => {
    expect(await read(encode('data: {"error":{"message":"stopped"}}\n\n'))).toBe('error')
  })
})
