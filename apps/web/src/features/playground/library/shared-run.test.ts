import { describe, expect, it } from 'bun:test'
import { readConversation } from './read-conversation.ts'
import { readSharedRun, sharedRunAddress } from './shared-run.ts'

const page = 'https://gateway.example/playground'
const question = (content: string) => ({
  id: 'm1',
  createdAt: 1,
  role: 'user',
  content,
  images: [{ name: 'a.png', url: 'data:image/png;base64,AA==' }],
})
const response = {
  id: 'm2',
  createdAt: 2,
  role: 'assistant',
  status: 'complete',
  content: 'Hallo 世界',
  model: 'm',
  charge: { quota: 3, promptTokens: 1, completionTokens: 2 },
  requestId: 'r1',
  images: ['data:image/png;base64,AA=='],
  totalMs: 9,
}

function conversation(content = 'Hello', messages: readonly object[] = [question(content), response]) {
  const threads = [{ contextStart: 0, messages }, null, { contextStart: 0, messages: [question(content)] }]
  const read = readConversation({ id: 'c1', name: 'Mine', createdAt: 1, updatedAt: 2, threads })
  if (!read) throw new Error('the test has no conversation')
  return read
}

function ids() {
  let last = 0
  return () => {
    last += 1
    return `own-${last}`
  }
}

describe('a shared run', () => {
  it('opens as a conversation of its own, with prices and times, without pictures and request ids', async () => {
    const address = await sharedRunAddress(page, conversation())
    const read = await readSharedRun(new URL(address ?? '').hash, ids())
    expect(read).toMatchObject({
      id: 'own-3',
      name: 'Mine',
      threads: [
        {
          messages: [
            { id: 'own-1', content: 'Hello', images: [] },
            {
              id: 'own-2',
              content: 'Hallo 世界',
              charge: response.charge,
              totalMs: 9,
              requestId: '',
              images: [],
            },
          ],
        },
        undefined,
        { messages: [{ id: 'own-1' }] },
      ],
    })
  })

  it('is in the part of the address that no server gets', async () => {
    const address = new URL((await sharedRunAddress(page, conversation())) ?? '')
    expect(`${address.origin}${address.pathname}${address.search}`).toBe(page)
  })

  it('is refused where it is too long, also one that only unpacks to too much', async () => {
    const noise = Array.from(crypto.getRandomValues(new Uint8Array(20_000)), String).join()
    expect(await sharedRunAddress(page, conversation(noise))).toBeUndefined()
    const bomb = await sharedRunAddress(page, conversation('a'.repeat(900_000)))
    expect(await readSharedRun(new URL(bomb ?? '').hash, ids())).toBeDefined()
    const larger = await new Response(
      new Blob([JSON.stringify({ name: 'a'.repeat(3_000_000) })])
        .stream()
        .pipeThrough(new CompressionStream('deflate-raw')),
    ).arrayBuffer()
    const text = Buffer.from(larger).toString('base64url')
    expect(await readSharedRun(`#run=${text}`, ids())).toBeUndefined()
  })

  it('is none where the address is broken', async () => {
    for (const hash of ['', '#', '#run=', '#run=%%', '#run=AAAA', '#other=1'])
      expect(await readSharedRun(hash, ids())).toBeUndefined()
  })
})
