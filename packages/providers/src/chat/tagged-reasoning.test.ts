import { expect, it } from 'bun:test'
import { collectResponse } from '@tollgate/formats'
import { taggedReasoning } from './tagged-reasoning.ts'

const wanted = [
  { type: 'reasoning', text: 'Rain?' },
  { type: 'text', text: 'It rains.' },
]

it('separates reasoning in tags from the response, buffered and streamed', () => {
  const { decodeResponse, decodeStream } = taggedReasoning
  const message = { role: 'assistant', content: '<think>\nRain?</think>\n\nIt rains.' }
  const reading = decodeResponse({ choices: [{ message, finish_reason: 'stop' }] })
  expect(reading.ok && reading.response.candidates[0]?.parts).toEqual(wanted as never)
  const state = decodeStream.start()
  const deltas = ['<thi', 'nk>Ra', 'in?</think', '>\n\nIt ', 'rains.']
  const chunk = (delta: object, finish_reason: string | null) =>
    ({ event: '', data: JSON.stringify({ id: 'p', choices: [{ index: 0, delta, finish_reason }] }) }) as const
  const parts = [...deltas.map((content) => chunk({ content }, null)), chunk({}, 'stop')].flatMap((frame) =>
    decodeStream.step(state, frame),
  )
  expect(collectResponse([...parts, ...decodeStream.finish(state)]).candidates[0]?.parts).toEqual(
    wanted as never,
  )
})
