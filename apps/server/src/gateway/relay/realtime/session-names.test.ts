import { describe, expect, it } from 'bun:test'
import type { Candidate } from '../routing/candidates.ts'
import { SessionNames } from './session-names.ts'

const names = (model: string, upstreamModel: string, intent?: 'transcription') =>
  // Nothing else of a candidate is read.
  new SessionNames({ model, intent }, { upstreamModel } as Candidate)

const transcribing = (model: string) => ({ audio: { input: { transcription: { model, language: 'en' } } } })

describe('the events of a session', () => {
  it('name a mapped model as its caller did, and nothing else otherwise', () => {
    const event = (model: string) =>
      JSON.stringify({
        type: 'session.created',
        session: { model, tools: [{ model: 'm' }], ...transcribing('w') },
        x: { model: 'm' },
      })
    expect(names('house', 'm').named(event('m-2026-08-01'))).toBe(event('house'))
    expect(names('m', 'm').named(event('m-2026-08-01'))).toBe(event('m-2026-08-01'))
  })

  it('name the model that writes down what the caller says as the caller did, in both forms', () => {
    const now = (model: string) => JSON.stringify({ session: { model: 'm', ...transcribing(model) } })
    const beta = (model: string) => JSON.stringify({ session: { input_audio_transcription: { model } } })
    const session = names('m', 'm')
    session.transcribesWith('words', 'w')
    for (const event of [now, beta]) expect(session.named(event('w'))).toBe(event('words'))
    session.transcribesWith('w', 'w')
    expect(session.named(now('w'))).toBe(now('w'))
    expect(names('words', 'w', 'transcription').named(beta('w'))).toBe(beta('words'))
  })

  it('pass untouched where they are text of the response', () => {
    const event = JSON.stringify({ type: 'response.text.delta', delta: '"model":"m"', item: { model: 'm' } })
    expect(names('house', 'm').named(event)).toBe(event)
  })
})
