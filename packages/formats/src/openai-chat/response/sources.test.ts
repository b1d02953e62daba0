import { expect, it } from 'bun:test'
import type { ChatPart } from '../../canonical/stream.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'

const choice = (content: string, finish_reason: string | null) => ({
  index: 0,
  delta: { role: 'assistant', content },
  finish_reason,
})

it('names what a response is drawn from once, by the last event that says it', () => {
  const events = [
    { id: 'p', citations: ['https://a.example'], choices: [choice('It rains.', null)] },
    {
      id: 'p',
      citations: ['https://a.example'],
      search_results: [{ title: 'Weather', url: 'https://a.example', date: '2026-01-01' }],
      choices: [choice('', 'stop')],
    },
  ]
  const state = decodeStream.start()
  const parts: readonly ChatPart[] = events.flatMap((event) =>
    decodeStream.step(state, { event: '', data: JSON.stringify(event) }),
  )
  expect(parts.filter(({ type }) => type === 'citation')).toEqual([
    { type: 'citation', candidate: 0, citation: { url: 'https://a.example', title: 'Weather', text: '' } },
  ])
  const message = { role: 'assistant', content: 'x' }
  const complete = { choices: [{ message, finish_reason: 'stop' }], citations: ['https://b.example', 7, ''] }
  expect(decodeResponse(complete)).toMatchObject({
    response: { candidates: [{ citations: [{ url: 'https://b.example', title: '', text: '' }] }] },
  })
})
