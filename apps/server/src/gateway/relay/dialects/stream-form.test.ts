import { describe, expect, it } from 'bun:test'
import { arrayForm, eventForm, scannerOfBody } from './stream-form.ts'

const error = { data: '{"error":{}}' }

describe('the last event of a stream', () => {
  it('closes the list that it stands in, whether or not it is the only one', () => {
    expect(arrayForm.last([error], false)).toBe('[{"error":{}}]')
    expect(`[{"candidates":[]}${arrayForm.last([error], true)}`).toBe('[{"candidates":[]},\r\n{"error":{}}]')
  })

  it('is an event among events', () => {
    expect(eventForm.last([{ event: 'error', ...error }], true)).toBe('event: error\ndata: {"error":{}}\n\n')
  })
})

describe('a body', () => {
  it.each(['data: {}\n\n', ': ping\n\ndata: {}\n\n', 'event: x\ndata: {}\n\n', ' [ {}, {}]', '\r\nid: 1\n'])(
    'is known as a stream: %j',
    (text) => expect(scannerOfBody(text, 'sse', 99)).toBeDefined(),
  )

  it.each(['{"a":1}', '<html>', '', '[1]', 'database: down'])('is none: %j', (text) => {
    expect(scannerOfBody(text, 'sse', 99)).toBeUndefined()
    expect(scannerOfBody(text, 'ndjson', 99)).toBeDefined()
  })
})
