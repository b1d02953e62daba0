import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Prompt, PromptMessage } from '@tollgate/formats'
import { deadline, slowness } from '../../../../../scripts/deadline/deadline.mjs'
import { recordingLogger, silentLogger } from '../test-support/charges.ts'
import { roughTokens } from './prompt-parts.ts'
import { createTokenizerThread } from './thread.ts'
import { createTokenCounting } from './token-counting.ts'

setDefaultTimeout(deadline(60_000))

const patienceMs = deadline(60_000)
const counting = createTokenCounting({ logger: silentLogger, timeoutMs: patienceMs })
// The tables of both encodings are read once, which takes seconds on a busy machine.
beforeAll(
  () => Promise.all([counting.countText('gpt-4o', 'a'), counting.countText('gpt-4', 'a')]),
  patienceMs,
)
afterAll(() => counting.close())

const nothing: Prompt = { messages: [], tools: [], texts: [], tokens: 0 }
const message = (change: Partial<PromptMessage>): PromptMessage => ({
  role: 'user',
  name: '',
  texts: [],
  images: [],
  audioParts: 0,
  fileParts: 0,
  ...change,
})

describe('token counting', () => {
  it('counts as the vendor does, by the encoding of the model', async () => {
    expect(await counting.countText('gpt-4o', 'hello world')).toBe(2)
    expect(await counting.countText('gpt-4o', '你好，世界！')).toBe(4)
    expect(await counting.countText('gpt-4', '你好，世界！')).toBe(7)
    expect(await counting.countText('gpt-4o', '')).toBe(0)
  })

  it('counts marks of the tokenizer in a text as text', async () => {
    expect(await counting.countText('gpt-4o', '<|endoftext|>')).toBeGreaterThan(3)
  })

  it('counts a chat by its frame, names, roles and texts', async () => {
    const messages = [
      message({ role: 'system', texts: ['hello world'] }),
      message({ name: 'Tom', texts: ['hello'] }),
    ]
    // 3 + system + 2, 3 + user + 1 + (name 1 + Tom 1), 3 for the answer.
    expect(await counting.countPrompt('gpt-4o', { ...nothing, messages })).toBe(6 + 7 + 3)
    expect(await counting.countPrompt('gpt-4o', { ...nothing, messages: [message({ name: 'Tom' })] })).toBe(7)
  })

  it('counts a chat with Claude by its own frame', async () => {
    const messages = [message({ texts: ['hello world'], images: [{ detail: '', url: 'x' }] })]
    // user 1, hello world 2, 2 for the message, the image; the tool's text and 3.
    const prompt = { ...nothing, messages, tools: ['hello world'] }
    expect(await counting.countPrompt('claude-opus-4-5', prompt)).toBe(1 + 2 + 2 + 1000 + 2 + 3)
  })

  it('counts inputs that are no chat by their text and token numbers alone', async () => {
    expect(await counting.countPrompt('gpt-4', { ...nothing, texts: ['hello world'], tokens: 5 })).toBe(7)
  })

  it('counts tools, images, audio and files by their fixed sizes', async () => {
    const parts = message({ images: [{ detail: 'low', url: 'x' }], audioParts: 1, fileParts: 1 })
    const prompt = { ...nothing, messages: [parts], tools: ['hello world'] }
    expect(await counting.countPrompt('gpt-4o', prompt)).toBe(3 + 1 + 85 + 100 + 5000 + 8 + 2 + 3)
  })

  it('counts an answer with its tool calls and what was too long to keep', async () => {
    const text = 'hello world'
    expect(await counting.countDelivered('gpt-4o', { text, overflowBytes: 0, toolCalls: 2 })).toBe(2 + 14)
    expect(await counting.countDelivered('gpt-4o', { text, overflowBytes: 110, toolCalls: 0 })).toBe(2 + 20)
    expect(await counting.countDelivered('gpt-4o', { text: '', overflowBytes: 0, toolCalls: 0 })).toBe(0)
  })

  it('estimates what is beyond 256 kB from what it counted', async () => {
    const words = 'hello world '.repeat(100_000)
    const tokens = await counting.countText('gpt-4o', words)
    expect(tokens).toBeGreaterThan(195_000)
    expect(tokens).toBeLessThan(205_000)
  })

  it('is not stopped by very many small parts', async () => {
    const image = { detail: 'high', url: 'data:image/png;base64,AAAA' }
    const messages = Array.from({ length: 100_000 }, () => message({ texts: ['hello'], images: [image] }))
    const startedAt = performance.now()
    const tokens = await counting.countPrompt('gpt-4o', { ...nothing, messages })
    expect(tokens).toBe(100_000 * (3 + 1 + 1 + 255) + 3)
    expect(performance.now() - startedAt).toBeLessThan(5000 * slowness())
  })

  it('is not stopped by an unbroken run', async () => {
    const startedAt = performance.now()
    for (const run of ['é', ' ', '=', '字', 'c']) {
      expect(await counting.countText('gpt-4o', run.repeat(100_000))).toBeGreaterThan(500)
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000 * slowness())
  })

  it('never blocks the event loop', async () => {
    const work = counting.countText('gpt-4o', 'The quick brown fox. '.repeat(12_000))
    let turns = 0
    let done = false
    void work.then(() => (done = true))
    while (!done) {
      await turn()
      turns += 1
    }
    // Timers of a busy machine are late; a loop that is not blocked turns hundreds of times all the same.
    expect(turns).toBeGreaterThan(3)
  })

  it('estimates when the tokenizer takes too long, and says so once', async () => {
    const { logger, messages } = recordingLogger()
    const hasty = createTokenCounting({ logger, timeoutMs: 0 })
    expect(await hasty.countText('gpt-4o', 'a'.repeat(400))).toBe(100)
    expect(await hasty.countText('gpt-4o', 'a'.repeat(400))).toBe(100)
    expect(messages).toEqual([
      'token counting: the tokenizer fails, so counts are estimates of the length: report it with this entry',
    ])
    await hasty.close()
  })
})

describe('tokenizer thread', () => {
  it('starts with the first count and ends when it had nothing to do for a while', async () => {
    const thread = createTokenizerThread({ idleMs: 20, timeoutMs: patienceMs })
    expect(thread.running).toBe(false)
    expect(await thread.count('cl100k_base', ['hello world'])).toBe(2)
    expect(thread.running).toBe(true)
    while (thread.running) await sleep(5)
    expect(await thread.count('cl100k_base', ['hello world'])).toBe(2)
    await thread.close()
    expect(thread.running).toBe(false)
  })
})

describe('rough counts', () => {
  it.each([
    'It was a bright cold day in April, and the clocks were striking thirteen.',
    '你好，世界！今天天气很好。',
    'const total = items.reduce((sum, item) => sum + item.price, 0)',
  ])('are not below the count of %p', async (text) => {
    expect(roughTokens(text)).toBeGreaterThanOrEqual(await counting.countText('gpt-4o', text))
    const prompt = { ...nothing, messages: [message({ texts: [text], name: 'Tom' })], tools: [text] }
    expect(counting.roughPrompt('gpt-4o', prompt)).toBeGreaterThanOrEqual(
      await counting.countPrompt('gpt-4o', prompt),
    )
  })
})
