import { describe, expect, it } from 'bun:test'
import { arrayForm, eventForm } from './stream-form.ts'

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
