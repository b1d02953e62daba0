import { describe, expect, it } from 'bun:test'
import { RealtimeMeter } from './meter.ts'
import { withRealtimeError } from './session-events.ts'

const error = { type: 'insufficient_quota', code: 'insufficient_quota', message: 'no credit' }
const reported = { type: 'upstream_error', code: 'upstream_unavailable' }

describe('an error in a session', () => {
  it.each([
    ['an event of its own', { type: 'error', event_id: 'e', error }],
    ['a transcription that failed', { type: 'conversation.item.input_audio_transcription.failed', error }],
    [
      'a response that failed',
      {
        type: 'response.done',
        response: { id: 'r', status: 'failed', status_details: { type: 'failed', error } },
      },
    ],
  ])('is found and replaced in %s', (_, event) => {
    const message = JSON.stringify(event)
    expect(new RealtimeMeter().received(message)).toBe('error')
    const written = withRealtimeError(message, () => reported)
    expect(written).not.toContain('quota')
    expect(written).toBe(message.replace(JSON.stringify(error), JSON.stringify(reported)))
    expect(withRealtimeError(message, (same) => same)).toBe(message)
  })

  it('is none in a response that is complete', () => {
    const message = '{"type":"response.done","response":{"status":"completed","status_details":null}}'
    expect(new RealtimeMeter().received(message)).toBe('other')
    expect(withRealtimeError(message, () => reported)).toBe(message)
  })
})
