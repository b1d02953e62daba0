import { describe, expect, it } from 'bun:test'
import { differenceOf, totalsOf } from './comparison.ts'
import type { Conversation } from './conversation.ts'
import type { AssistantMessage, Thread } from './thread.ts'

function response(id: string, facts: Partial<AssistantMessage>): AssistantMessage {
  return {
    id,
    createdAt: 0,
    role: 'assistant',
    status: 'complete',
    content: 'Paris.',
    reasoning: '',
    images: [],
    audio: [],
    toolCalls: [],
    model: 'm',
    group: 'g',
    stopped: false,
    stopReason: 'stop',
    error: undefined,
    usage: undefined,
    charge: undefined,
    requestId: id,
    firstTokenMs: 100,
    totalMs: 1000,
    ...facts,
  }
}

function said(promptId: string, ...responses: readonly AssistantMessage[]): Thread {
  const prompt = {
    id: promptId,
    createdAt: 0,
    role: 'user',
    content: 'Capital of France?',
    images: [],
  } as const
  return { messages: responses.flatMap((each) => [prompt, each]), contextStart: 0 }
}

function conversation(first: Thread, ...others: readonly (Thread | undefined)[]): Conversation {
  return { id: 'c', name: '', createdAt: 0, updatedAt: 0, threads: [first, ...others] }
}

const charge = (quota: number) => ({ quota, promptTokens: 1, completionTokens: 1 })

describe('the difference of two responses', () => {
  it('is that of price, time and words', () => {
    const both = conversation(
      said('p', response('a', { charge: charge(300) })),
      said('p', response('b', { charge: charge(100), totalMs: 400, content: ' paris' })),
    )
    expect(differenceOf(both, 1)).toEqual({ timesCheaper: 3, fasterMs: 600, isSameAnswer: true })
  })

  it('has no price while one is not charged or was free, and is silent about other words', () => {
    const both = conversation(
      said('p', response('a', { charge: charge(300) })),
      said('p', response('b', { charge: charge(0), content: 'Lyon' })),
    )
    expect(differenceOf(both, 1)).toMatchObject({ timesCheaper: undefined, isSameAnswer: false })
  })

  it('is none until both are whole responses to the same words', () => {
    const first = said('p', response('a', {}))
    for (const other of [
      undefined,
      said('q', response('b', {})),
      said('p', response('b', { status: 'incomplete' })),
      said('p', response('b', { stopped: true })),
      said('p', response('b', { status: 'error', error: { message: '', status: 500, code: '' } })),
    ])
      expect(differenceOf(conversation(first, other), 1)).toBeUndefined()
  })
})

describe('the total', () => {
  it('counts each response once, also where a column began with those of the first', () => {
    const before = response('a', { charge: charge(5) })
    const all = conversation(
      said('p', before, response('b', { charge: charge(7) })),
      said('p', before, response('c', { charge: charge(11) })),
    )
    expect(totalsOf(all, [0, 1, 2])).toEqual({ turn: 18, all: 23 })
  })
})
