import { describe, expect, it } from 'bun:test'
import { threadAt } from '../chat/conversation.ts'
import { leftEarly, readConversation } from './read-conversation.ts'

const response = {
  id: 'm2',
  createdAt: 2,
  role: 'assistant',
  status: 'complete',
  content: 'Hi',
  reasoning: '',
  images: ['data:image/png;base64,AA=='],
  audio: ['AA=='],
  toolCalls: [{ id: 'call_1', name: 'f', arguments: '{}' }],
  model: 'gpt-4o',
  group: 'default',
  stopped: false,
  stopReason: 'stop',
  error: undefined,
  usage: { promptTokens: 1, completionTokens: 2 },
  charge: { quota: 3, promptTokens: 1, completionTokens: 2 },
  requestId: 'r1',
  firstTokenMs: 5,
  totalMs: 9,
}
const question = {
  id: 'm1',
  createdAt: 1,
  role: 'user',
  content: 'Hello',
  images: [{ name: 'a.png', url: 'data:image/png;base64,AA==' }],
}
const stored = {
  id: 'c1',
  name: 'Mine',
  createdAt: 1,
  updatedAt: 2,
  threads: [
    { contextStart: 1, messages: [question, response] },
    { contextStart: 0, messages: [question] },
  ],
}

describe('a kept conversation', () => {
  it('comes back as it was', () => {
    expect(readConversation(structuredClone(stored))).toEqual(stored as never)
  })

  it('marks a running response as interrupted', () => {
    const open = { ...response, status: 'incomplete', totalMs: undefined }
    const read = readConversation({ ...stored, threads: [{ contextStart: 0, messages: [question, open] }] })
    expect(read && threadAt(read, 0).messages[1]).toMatchObject({
      status: 'error',
      content: 'Hi',
      error: { code: leftEarly },
    })
  })

  it('is none when it is something else, and loses only what cannot be read', () => {
    for (const odd of [null, 7, 'x', {}, { id: 'c' }, { id: 'c', threads: [] }, { id: '', threads: [{}] }]) {
      expect(readConversation(odd)).toBeUndefined()
    }
    const image = { name: 'x', url: 'https://elsewhere.example/x.png' }
    const messages = [null, { id: 'm', role: 'robot', content: '' }, { ...question, images: [image] }]
    const read = readConversation({ ...stored, threads: [{ contextStart: 9, messages }] })
    expect(read?.threads).toEqual([
      { contextStart: 1, messages: [{ ...question, role: 'user', images: [] }] },
    ])
  })
})
