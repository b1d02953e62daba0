import { describe, expect, it } from 'bun:test'
import { chatBody } from './send-chat.ts'

const settings = {
  group: 'vip',
  model: 'gpt-4o-mini',
  temperature: 0,
  maxTokens: 0,
  stream: true,
  reasoningEffort: '',
  format: { type: 'text', schema: '' },
  tools: '',
} as const
const messages = [{ role: 'user', content: 'Hi' }] as const

describe('a playground call', () => {
  it('has the fields of the contract, and asks a stream for its usage', () => {
    expect(chatBody(settings, messages)).toEqual({
      model: 'gpt-4o-mini',
      group: 'vip',
      messages,
      stream: true,
      temperature: 0,
      max_tokens: 0,
      stream_options: { include_usage: true },
    })
    expect(chatBody({ ...settings, stream: false, maxTokens: 50 }, messages)).toEqual({
      model: 'gpt-4o-mini',
      group: 'vip',
      messages,
      stream: false,
      temperature: 0,
      max_tokens: 50,
    })
  })
})
