import { describe, expect, it } from 'bun:test'
import { type ChatStore, createChatStore } from './chat-store.ts'
import { type Column, newConversation, threadAt } from './conversation.ts'
import type { ResponsePart } from './response-part.ts'
import type { ChatCall } from './send-chat.ts'
import type { AssistantMessage, ResponseCharge } from './thread.ts'

const plainResponse = { reasoningEffort: '', format: { type: 'text', schema: '' }, tools: '' } as const

const turn = {
  column: 0,
  settings: {
    group: 'default',
    model: 'gpt-4o-mini',
    temperature: 0,
    maxTokens: 0,
    stream: true,
    ...plainResponse,
  },
  system: 'Be brief.',
} as const
const right = { ...turn, column: 1, settings: { ...turn.settings, model: 'o1' } } as const
const say = (text: string) => ({ text, images: [] })
const charge: ResponseCharge = { quota: 7, promptTokens: 9, completionTokens: 2 }

/** A model that says what the test tells it to, when the test tells it to. */
function talkingModel() {
  const calls: (ChatCall & { readonly finish: () => void; readonly fail: () => void })[] = []
  let now = 1000
  let id = 0
  const charges: string[] = []
  const store = createChatStore(newConversation('c1', 0), {
    findCharge: async (requestId) => {
      charges.push(requestId)
      return charge
    },
    sendChat: (asking) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new TypeError('network'))
        asking.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
        calls.push({ ...asking, finish: resolve, fail })
      }),
    now: () => now,
    nextId: () => `m${++id}`,
    later: (show) => show(),
  })
  const call = (index: number) => {
    const found = calls[index]
    if (!found) throw new Error(`call ${index} was not made`)
    return found
  }
  return { store, calls, call, charges, pass: (ms: number) => (now += ms) }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))
const text = (words: string): ResponsePart => ({ type: 'text', text: words })
const stated = (store: ChatStore, column: Column = 0) =>
  threadAt(store.current, column).messages.map(({ role, content }) => `${role}: ${content}`)

function lastResponse(store: ChatStore, column: Column = 0): AssistantMessage {
  const last = threadAt(store.current, column).messages.at(-1)
  if (last?.role !== 'assistant') throw new Error('the last message is no answer')
  return last
}

describe('a conversation', () => {
  it('joins the pieces of calls of functions, whose results are the next words', () => {
    const { store, call } = talkingModel()
    store.send(say('Weather?'), [turn])
    const pieces = [
      { index: 0, call: { id: 'call_1', name: 'weather', arguments: '' } },
      { index: 0, call: { id: '', name: '', arguments: '{"city":' } },
      { index: 1, call: { id: 'call_2', name: 'time', arguments: '{}' } },
      { index: 0, call: { id: '', name: '', arguments: '"Oslo"}' } },
    ]
    for (const piece of pieces) call(0).onPart({ type: 'tool-call', ...piece })
    call(0).onPart({ type: 'image', url: 'data:image/png;base64,aGk=' })
    call(0).onPart({ type: 'audio', data: 'aGk=', transcript: 'It is ' })
    expect(lastResponse(store)).toMatchObject({ images: ['data:image/png;base64,aGk='], audio: ['aGk='] })
    call(0).finish()
    store.send(say('12 °C'), [turn])
    expect(call(1).messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'It is ',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } },
        ],
      },
      { role: 'tool', content: '12 °C', tool_call_id: 'call_1' },
      { role: 'tool', content: '12 °C', tool_call_id: 'call_2' },
    ])
  })

  it('has a thread of its own in each of four columns, which begins with what was said in the first', () => {
    const { store, call } = talkingModel()
    store.send(say('One'), [turn])
    call(0).onPart(text('1'))
    const fourth = { ...turn, column: 3 } as const
    store.send(say('Two'), [turn, fourth])
    expect(stated(store, 3).slice(0, 3)).toEqual(['user: One', 'assistant: 1', 'user: Two'])
    expect(store.current.threads.map((thread) => thread !== undefined)).toEqual([true, false, false, true])
    expect(stated(store, 2)).toEqual(stated(store, 0))
  })

  it('goes from loading over incomplete to complete, with its times and its request id', async () => {
    const { store, call, pass } = talkingModel()
    store.send(say('Hello'), [turn])
    expect(call(0).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ])
    expect(lastResponse(store).status).toBe('loading')
    call(0).onRequestId('req-1')
    pass(300)
    call(0).onPart(text('Hi '))
    expect(lastResponse(store)).toMatchObject({ status: 'incomplete', content: 'Hi ', firstTokenMs: 300 })
    pass(200)
    call(0).onPart(text('there'))
    call(0).onPart({ type: 'usage', usage: { promptTokens: 9, completionTokens: 2 } })
    call(0).finish()
    await settled()
    expect(lastResponse(store)).toMatchObject({
      status: 'complete',
      content: 'Hi there',
      requestId: 'req-1',
      firstTokenMs: 300,
      totalMs: 500,
      usage: { promptTokens: 9, completionTokens: 2 },
    })
  })

  it('marks a response as an error and keeps the text before it', async () => {
    const { store, call } = talkingModel()
    store.send(say('Hello'), [turn])
    call(0).onPart(text('Half'))
    call(0).onPart({ type: 'error', error: { message: 'broke off', status: 200, code: 'upstream_cut' } })
    call(0).finish()
    await settled()
    expect(lastResponse(store)).toMatchObject({
      status: 'error',
      content: 'Half',
      error: { message: 'broke off' },
    })
  })

  it('reports a missing response when the connection breaks', async () => {
    const { store, call } = talkingModel()
    store.send(say('Hello'), [turn])
    call(0).fail()
    await settled()
    expect(lastResponse(store)).toMatchObject({ status: 'error', error: { status: 0 } })
  })

  it('stops at once and takes nothing more', async () => {
    const { store, call } = talkingModel()
    store.send(say('Hello'), [turn])
    call(0).onPart(text('Some'))
    store.stop()
    expect(call(0).signal.aborted).toBe(true)
    call(0).onPart(text(' more'))
    await settled()
    expect(lastResponse(store)).toMatchObject({ status: 'complete', stopped: true, content: 'Some' })
    expect(lastResponse(store).error).toBeUndefined()
  })

  it('replaces a response when it is requested again', async () => {
    const { store, call } = talkingModel()
    store.send(say('Hello'), [turn])
    call(0).onPart(text('First'))
    call(0).finish()
    await settled()
    store.retry(lastResponse(store).id, { ...turn, system: '' })
    expect(call(1).messages).toEqual([{ role: 'user', content: 'Hello' }])
    call(1).onPart(text('Second'))
    expect(stated(store)).toEqual(['user: Hello', 'assistant: Second'])
  })

  it('forgets what followed a message that was edited', async () => {
    const { store, call, calls } = talkingModel()
    for (const [index, words] of ['one', 'two'].entries()) {
      store.send(say(words), [turn])
      call(index).onPart(text(`answer ${words}`))
      call(index).finish()
      await settled()
    }
    store.resend(threadAt(store.current, 0).messages[0]?.id ?? '', 'other', [turn])
    expect(stated(store)).toEqual(['user: other', 'assistant: '])
    expect(calls.at(-1)?.messages.map(({ content }) => content)).toEqual(['Be brief.', 'other'])
  })

  it('sends nothing from before its context was cleared, and still shows it', async () => {
    const { store, call } = talkingModel()
    store.send(say('secret'), [turn])
    call(0).onPart(text('noted'))
    call(0).finish()
    await settled()
    store.clearContext()
    store.send(say('What did I say?'), [{ ...turn, system: '' }])
    expect(call(1).messages).toEqual([{ role: 'user', content: 'What did I say?' }])
    expect(stated(store)).toEqual([
      'user: secret',
      'assistant: noted',
      'user: What did I say?',
      'assistant: ',
    ])
  })

  it('leaves empty responses out of what is sent', async () => {
    const { store, call } = talkingModel()
    store.send(say('one'), [turn])
    call(0).fail()
    await settled()
    store.send(say('two'), [{ ...turn, system: ' ' }])
    expect(call(1).messages.map(({ content }) => content)).toEqual(['one', 'two'])
  })

  it('tells its listeners once for many changes', () => {
    const pending: (() => void)[] = []
    let reported = 0
    const store = createChatStore(newConversation('c1', 0), {
      findCharge: async () => undefined,
      sendChat: () => new Promise(() => {}),
      now: () => 0,
      nextId: () => String(Math.random()),
      later: (show) => void pending.push(show),
    })
    store.subscribe(() => (reported += 1))
    store.send(say('Hello'), [turn])
    expect([reported, pending.length]).toEqual([0, 1])
    pending.shift()?.()
    expect(reported).toBe(1)
  })

  it('attaches the charge to a response, also when it was stopped or looked up later', async () => {
    const { store, call, charges } = talkingModel()
    store.send(say('Hello'), [turn])
    call(0).onRequestId('req-1')
    store.stop()
    await settled()
    expect(lastResponse(store).charge).toEqual(charge)
    expect(charges).toEqual(['req-1'])
    store.findCharges()
    expect(charges).toEqual(['req-1'])
  })

  it('sends pictures beside the words, and keeps them when the words are changed', async () => {
    const { store, call } = talkingModel()
    const url = 'data:image/png;base64,AA=='
    store.send({ text: 'What is this?', images: [{ name: 'a.png', url }] }, [{ ...turn, system: '' }])
    const picture = { type: 'image_url', image_url: { url } } as const
    expect(call(0).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] },
    ])
    store.resend(threadAt(store.current, 0).messages[0]?.id ?? '', 'And this?', [{ ...turn, system: '' }])
    expect(call(1).messages[0]?.content).toEqual([{ type: 'text', text: 'And this?' }, picture])
  })
})

describe('two columns', () => {
  it('begin with what was said before and go on by themselves', async () => {
    const { store, call } = talkingModel()
    store.send(say('one'), [turn])
    call(0).onPart(text('first'))
    call(0).finish()
    await settled()
    store.send(say('two'), [turn, right])
    expect(call(1).messages).toEqual(call(2).messages)
    expect([call(1).settings.model, call(2).settings.model]).toEqual(['gpt-4o-mini', 'o1'])
    call(1).onPart(text('left'))
    call(2).onPart(text('right'))
    expect(stated(store)).toEqual(['user: one', 'assistant: first', 'user: two', 'assistant: left'])
    expect(stated(store, 1)).toEqual(['user: one', 'assistant: first', 'user: two', 'assistant: right'])
  })

  it('stop, ask again and are edited each or both', async () => {
    const { store, call, calls } = talkingModel()
    store.send(say('one'), [turn, right])
    store.stop(1)
    expect(lastResponse(store).status).toBe('loading')
    expect(lastResponse(store, 1)).toMatchObject({ status: 'complete', stopped: true })
    store.retry(lastResponse(store, 1).id, right)
    expect(call(0).signal.aborted).toBe(false)
    expect(call(2).settings.model).toBe('o1')
    store.resend(threadAt(store.current, 0).messages[0]?.id ?? '', 'other', [turn, right])
    expect(calls).toHaveLength(5)
    expect([stated(store), stated(store, 1)]).toEqual([
      ['user: other', 'assistant: '],
      ['user: other', 'assistant: '],
    ])
  })
})
