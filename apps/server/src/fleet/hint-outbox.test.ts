import { describe, expect, it } from 'bun:test'
import { until } from '../../../../tests/support/until.ts'
import { createHintOutbox } from './hint-outbox.ts'

interface Hint {
  readonly about: string
  readonly text: string
}
interface Message {
  readonly type: string
  readonly hints: readonly Hint[]
}

function setUp({ fails = false } = {}) {
  const sent: { readonly at: number; readonly message: Message }[] = []
  const outbox = createHintOutbox<Hint>({
    messages: {
      async send(message) {
        sent.push({ at: performance.now(), message: message as Message })
        if (fails) throw new Error('the database is away')
      },
    },
    type: 'test',
  })
  const put = (about: string, text = '') => outbox.put(about, { about, text })
  return { outbox, put, sent, hints: () => sent.flatMap(({ message }) => message.hints) }
}

describe('createHintOutbox', () => {
  it('sends the last hint on each subject, in one message', async () => {
    const { put, sent } = setUp()
    put('a', 'open')
    put('b', 'open')
    put('a', 'closed')
    await until(() => sent.length > 0 || undefined)
    expect(sent.map(({ message }) => message)).toEqual([
      {
        type: 'test',
        hints: [
          { about: 'b', text: 'open' },
          { about: 'a', text: 'closed' },
        ],
      },
    ])
  })

  it('sends a few messages a second, each short enough for PostgreSQL, and drops what is too much', async () => {
    const { put, sent, hints, outbox } = setUp()
    for (let index = 0; index < 2000; index += 1) put(`subject ${index}`, '暖'.repeat(100))
    await until(() => sent.length === 3 || undefined)
    outbox.close()
    const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThan(190)
    for (const { message } of sent) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(7500)
    expect(hints()).toHaveLength(sent.reduce((sum, { message }) => sum + message.hints.length, 0))
    expect(hints().at(-1)?.about).not.toBe('subject 1999')
  })

  it('goes on after a message that is lost, and without a hint that is too long', async () => {
    const { put, sent } = setUp({ fails: true })
    put('too long', 'x'.repeat(8000))
    put('a')
    await until(() => sent.length === 1 || undefined)
    put('b')
    await until(() => sent.length === 2 || undefined)
    expect(sent.map(({ message }) => message.hints.map(({ about }) => about))).toEqual([['a'], ['b']])
  })
})
