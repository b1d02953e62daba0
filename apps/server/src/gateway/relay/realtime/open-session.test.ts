import { describe, expect, it } from 'bun:test'
import { namedEvent } from './open-session.ts'

const named = (session: object, intent?: 'transcription') =>
  namedEvent(
    JSON.stringify({ type: 'session.update', session }),
    { model: 'rt', intent },
    { upstreamModel: 'gpt-realtime' },
  )

describe('namedEvent', () => {
  it('gives the upstream its own name of the session’s model', () => {
    const sent = '{"type":"session.update","session":{"model":"gpt-realtime","voice":"ash"}}'
    expect(named({ model: 'rt', voice: 'ash' })).toBe(sent)
    expect(named({ model: 'gpt-realtime', voice: 'ash' })).toBe(sent)
    expect(named({ voice: 'ash' })).toBe('{"type":"session.update","session":{"voice":"ash"}}')
    expect(named({ model: 'rt' }, 'transcription')).toContain('"rt"')
  })

  it('refuses another model than the one that is paid for', () => {
    expect(() => named({ model: 'gpt-realtime-large' })).toThrow('This session is one with rt')
  })
})
