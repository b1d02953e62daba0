import { expect, it } from 'bun:test'
import { anthropicMessages } from '@tollgate/formats'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { openrouter } from './index.ts'

const target: Target = {
  baseUrl: rowOf('openrouter').baseUrl,
  key: 'k',
  upstreamModel: 'm',
  openaiOrganization: '',
  other: '',
}

it('passes the cache marks of callers of Messages to OpenRouter', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const longer = { cache_control: { type: 'ephemeral', ttl: '1h' } }
  const body = {
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 'Be brief.', ...longer }],
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'rain', ...mark }] },
      { role: 'user', content: [{ type: 'text', text: 'So?', ...mark }] },
    ],
  }
  const { codec } = openrouter.operation('chat', target, 'anthropic-messages') ?? {}
  const request = anthropicMessages.decodeRequest(body, {})
  const encoded = codec?.encodeRequest(request, { model: 'm', streamOptions: true })
  expect(encoded?.dropped).not.toContain('cache_control')
  const messages = encoded?.body.messages as readonly { readonly role: string; readonly content: unknown }[]
  const text = (stated: string, marked: object) => [{ type: 'text', text: stated, ...marked }]
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', text('Be brief.', longer)],
    ['user', 'Weather?'],
    ['assistant', null],
    ['tool', text('rain', mark)],
    ['user', text('So?', mark)],
  ])
})
