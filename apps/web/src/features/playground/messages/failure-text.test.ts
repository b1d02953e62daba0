import { describe, expect, it } from 'bun:test'
import { failureText, mendOf } from './failure-text.ts'

const failure = (status: number, code: string, message = '') => ({ status, code, message })

describe('a failure', () => {
  it('is in a customer’s words where the gateway names its kind, whatever it says to operators', () => {
    expect(failureText(failure(503, 'no_available_channel', 'No available channel for model m'))).toEqual({
      known: 'busyModel',
    })
    expect(failureText(failure(502, 'upstream_unreachable', 'connect ECONNREFUSED'))).toEqual({
      known: 'provider',
    })
  })

  it('is in the gateway’s own words where these name what is wrong with the request', () => {
    const message = "Invalid 'temperature': at most 1"
    expect(failureText(failure(400, 'invalid_value', message))).toEqual({ message })
    expect(failureText(failure(400, 'toString', message))).toEqual({ message })
  })

  it('says that nothing came where nothing did', () => {
    expect(failureText(failure(0, ''))).toEqual({ known: 'offline' })
    expect(failureText(failure(500, ''))).toEqual({ known: 'noMessage' })
  })

  it('leads to where it can be mended', () => {
    expect(mendOf(failure(403, 'insufficient_user_quota'))).toBe('top-up')
    expect(mendOf(failure(401, 'not_logged_in'))).toBe('log-in')
    expect(mendOf(failure(503, 'overloaded'))).toBeUndefined()
  })
})
