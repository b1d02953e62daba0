import { describe, expect, it } from 'bun:test'
import { sessionModel, transcriptionSetting } from './session-events.ts'
import { TranscriptionMeter } from './transcription-meter.ts'

const done = (usage?: unknown) => ({ type: 'conversation.item.input_audio_transcription.completed', usage })
const started = { type: 'conversation.item.input_audio_transcription.delta', delta: 'Good' }
const rate = 48_000
const stated = (seconds: number) => ({
  type: 'input_audio_buffer.append',
  audio: Buffer.alloc(seconds * rate).toString('base64'),
})

describe('the model that transcribes', () => {
  it.each([
    [
      { audio: { input: { transcription: { model: 'm', language: 'en' } } } },
      'session.audio.input.transcription.model',
    ],
    [{ input_audio_transcription: { model: 'm' } }, 'session.input_audio_transcription.model'],
  ])('is named in %j, and can be named otherwise', (session, param) => {
    for (const type of ['session.update', 'transcription_session.update']) {
      const message = JSON.stringify({ type, session })
      const setting = transcriptionSetting(message)
      expect(setting).toMatchObject({ model: 'm', param })
      expect(setting?.withModel('m')).toBe(message)
      expect(setting?.withModel('other')).toBe(message.replace('"m"', '"other"'))
    }
  })

  it('is found under a name with escapes, as is the model of the session', () => {
    const escaped = (name: string) => `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`
    const update = (session: string) => `{"type":"session.update","session":{${session}}}`
    const beta = update(`"${escaped('input_audio_transcription')}":{"${escaped('model')}":"m"}`)
    expect(transcriptionSetting(beta)?.model).toBe('m')
    expect(sessionModel(update(`"${escaped('model')}":"m"`))?.model).toBe('m')
    expect(sessionModel(update('"model":"m"'))?.withModel('other')).toBe(update('"model":"other"'))
    for (const other of [update('"voice":"model"'), '{"type":"response.create","session":{"model":"m"}}'])
      expect(sessionModel(other)).toBeUndefined()
  })

  it.each([
    '{"type":"session.update","session":{"audio":{"input":{"transcription":null}}}}',
    '{"type":"session.update","session":{"input_audio_transcription":{"model":7}}}',
    '{"type":"response.create","session":{"input_audio_transcription":{"model":"m"}}}',
    '{"type":"session.update","session":"transcription"}',
    '"transcription"',
    'transcription"',
  ])('is not named in %s', (message) => expect(transcriptionSetting(message)).toBeUndefined())
})

describe('a transcription', () => {
  it('is what its upstream counts, in tokens or in begun seconds', () => {
    const meter = new TranscriptionMeter()
    meter.sent(stated(30), rate)
    meter.received(
      done({ type: 'tokens', input_tokens: 9, output_tokens: 2, input_token_details: { audio_tokens: 9 } }),
    )
    meter.received(done({ type: 'duration', seconds: 29.5 }))
    const { usage, estimated } = meter.total()
    expect(usage).toMatchObject({ inputTokens: 509, audioInputTokens: 9, outputTokens: 2 })
    expect([estimated, meter.estimate().inputTokens]).toEqual([false, 509])
  })

  it('is counted by its length where the upstream counts nothing, or breaks off', () => {
    const meter = new TranscriptionMeter()
    meter.sent(stated(6), rate)
    expect([meter.hasResponded, meter.estimate().inputTokens]).toEqual([false, 100])
    meter.received(done())
    meter.sent(stated(3), rate)
    meter.received(started)
    expect(meter.total()).toMatchObject({ usage: { inputTokens: 150 }, estimated: true })
  })

  it('costs nothing for what was taken back or never written down', () => {
    const meter = new TranscriptionMeter()
    meter.sent(stated(6), rate)
    meter.sent({ type: 'input_audio_buffer.clear' }, rate)
    meter.received({ type: 'conversation.item.input_audio_transcription.failed' })
    meter.sent(stated(6), rate)
    expect([meter.hasResponded, meter.total().usage.inputTokens]).toEqual([false, 0])
  })

  it.each([null, 7, {}, { type: 'duration', seconds: -1 }, { type: 'duration', seconds: 'x' }])(
    'does not believe %j',
    (usage) => {
      const meter = new TranscriptionMeter()
      meter.received(done(usage))
      expect(meter.total()).toMatchObject({ usage: { inputTokens: 0 }, estimated: true })
    },
  )
})
