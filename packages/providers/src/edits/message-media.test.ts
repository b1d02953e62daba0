import { describe, expect, it } from 'bun:test'
import { isObject, listOf, objectOf } from '@tollgate/formats'
import { sentBody } from '../test-support/sent-body.ts'
import { mediaOfUser } from './message-media.ts'

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const sound = { type: 'input_audio', input_audio: { data: 'UklGRiQAAAA=', format: 'wav' } }
const text = (words: string) => ({ type: 'text', text: words })
const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const calls = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }
const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content })

describe('mediaOfUser', () => {
  it('puts media of results behind all results of the turn, each behind the line that says whose they are', () => {
    const messages = [
      user('Go'),
      calls,
      result('a', [text('seen'), image]),
      result('b', [sound]),
      user('And now?'),
    ]
    expect(mediaOfUser(messages)).toEqual([
      ...messages.slice(0, 2),
      result('a', [text('seen')]),
      result('b', 'See the attachment.'),
      user([text('Attached to the result of a:'), image, text('Attached to the result of b:'), sound]),
      user('And now?'),
    ])
  })

  it('puts media of the model behind the results of its calls, or before what is said next', () => {
    const made = { ...calls, content: [text('Here'), image] }
    const spoken = user([text('From your earlier response:'), image])
    expect(mediaOfUser([made, result('a', 'x'), result('b', 'y')])).toEqual([
      { ...made, content: [text('Here')] },
      result('a', 'x'),
      result('b', 'y'),
      spoken,
    ])
    const drawn = { role: 'assistant', content: [image] }
    expect(mediaOfUser([drawn, user('Go')]).slice(1)).toEqual([spoken, user('Go')])
  })

  it('leaves a conversation as it is whose media are the user’s, or an instruction’s, which nobody said', () => {
    const messages = [user([text('Go'), image, sound]), calls, result('a', [text('x')]), result('b', 'y')]
    for (const role of ['user', 'system', 'developer']) {
      const all = [{ role, content: [text('Look'), image] }, ...messages]
      expect(mediaOfUser(all)).toBe(all)
    }
  })
})

describe('media in results and responses', () => {
  const messages = [
    user('Go'),
    { role: 'assistant', content: [text('Here'), image] },
    calls,
    result('a', [image]),
    result('b', 'y'),
  ]
  const holders = (body: unknown) =>
    listOf(objectOf(body).messages).flatMap((message) =>
      isObject(message) && JSON.stringify(message).includes('image_url') ? [message.role] : [],
    )

  it.each([
    ...['openai', 'azure', 'custom', 'ohmygpt', 'azure-ai-foundry'].flatMap((id) =>
      ['gpt-4o', 'gpt-4.1-mini', 'o3', 'gpt-5', 'gpt-5.5', 'gpt-6-astra'].map(
        (model) => [id, model] as const,
      ),
    ),
    ['azure', 'my-deployment'] as const,
  ])('are the user’s at %s for %s', (id, model) => {
    expect(holders(sentBody(id, { model, messages }, model))).toEqual(['user', 'user'])
  })

  it.each(['custom', 'vllm', 'openrouter', 'deepseek'])('pass to %s, which may take them', (id) => {
    expect(holders(sentBody(id, { model: 'm', messages }))).toEqual(['assistant', 'tool'])
  })
})
