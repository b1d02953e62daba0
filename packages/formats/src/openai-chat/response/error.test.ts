import { describe, expect, it } from 'bun:test'
import { encodeErrorBody, encodeErrorEvent } from './error.ts'

const error = {
  message: 'Add money to go on.',
  type: 'insufficient_quota',
  param: null,
  code: 'insufficient_user_quota',
}

describe('errors for OpenAI callers', () => {
  it('have the shape the SDKs know, and end with the request id', () => {
    expect(JSON.parse(encodeErrorBody(error, 'r-1'))).toEqual({
      error: { ...error, message: 'Add money to go on. (request id: r-1)' },
    })
  })

  it('are one event in a stream, with nothing behind', () => {
    expect(encodeErrorEvent(error, 'r-1')).toBe(`data: ${encodeErrorBody(error, 'r-1')}\n\n`)
  })
})
