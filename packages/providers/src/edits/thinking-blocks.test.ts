import { describe, expect, it } from 'bun:test'
import { openAiFormats } from '../openai/openai-compatible.ts'
import { providers } from '../registry.ts'
import { sentBody } from '../test-support/sent-body.ts'

const target = { baseUrl: '', key: 'k-1', upstreamModel: 'm', openaiOrganization: '', other: '' }
const speakers = providers.filter(
  ({ operation }) => operation('chat', target, openAiFormats.chat)?.format === openAiFormats.chat,
)

describe('thinking blocks of LiteLLM’s callers', () => {
  const block = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
  const body = {
    model: 'm',
    messages: [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Gone', thinking_blocks: [block] },
      { role: 'user', content: 'Back' },
    ],
  }

  it.each(speakers.map(({ id }) => id).filter((id) => id !== 'custom'))('do not reach %s', (id) => {
    const sent = JSON.stringify(sentBody(id, body))
    expect(sent).not.toContain('thinking_blocks')
    expect(sent).toContain('Gone')
  })

  it('reach an upstream that may be LiteLLM itself', () => {
    expect(sentBody('custom', body)).toEqual(body)
  })
})
