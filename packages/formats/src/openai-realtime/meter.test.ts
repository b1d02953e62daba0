import { describe, expect, it } from 'bun:test'
import { RealtimeMeter } from './meter.ts'
import { encodeRealtimeError } from './session-events.ts'
import { readRealtimeUsage } from './transcription-meter.ts'

const text = (event: object) => JSON.stringify(event)
const speech = (seconds: number, bytesPerSecond = 48_000) =>
  Buffer.alloc(seconds * bytesPerSecond).toString('base64')

describe('usage of a response', () => {
  it('takes what was cached out of its kind, and keeps the sum', () => {
    const usage = readRealtimeUsage({
      input_tokens: 100,
      output_tokens: 30,
      input_token_details: {
        text_tokens: 30,
        audio_tokens: 50,
        image_tokens: 20,
        cached_tokens: 40,
        cached_tokens_details: { text_tokens: 10, audio_tokens: 30, image_tokens: 0 },
      },
      output_token_details: { text_tokens: 10, audio_tokens: 20 },
    })
    expect(usage).toMatchObject({
      inputTokens: 60,
      cacheReadTokens: 40,
      audioInputTokens: 20,
      imageInputTokens: 20,
      outputTokens: 30,
      audioOutputTokens: 20,
    })
  })

  it.each([
    [undefined],
    [null],
    [{}],
    [{ input_tokens: -1, output_tokens: 2 }],
    [{ input_tokens: 0, output_tokens: 0 }],
  ])('is none in %p', (raw) => expect(readRealtimeUsage(raw)).toBeUndefined())

  it('is never negative, and no part exceeds its whole', () => {
    const usage = readRealtimeUsage({
      input_tokens: 5,
      output_tokens: 1,
      input_token_details: { audio_tokens: 90, cached_tokens: 50 },
      output_token_details: { audio_tokens: 7 },
    })
    expect(usage).toMatchObject({
      inputTokens: 0,
      cacheReadTokens: 5,
      audioInputTokens: 0,
      audioOutputTokens: 1,
    })
  })
})

describe('a meter', () => {
  it('records the longest prompt of its responses, and the tools that they report', () => {
    const meter = new RealtimeMeter()
    const done = (input_tokens: number, output: readonly object[]) =>
      meter.received(
        text({ type: 'response.done', response: { usage: { input_tokens, output_tokens: 1 }, output } }),
      )
    done(700, [{ type: 'web_search_call' }])
    done(900, [])
    done(800, [{ type: 'web_search_call' }])
    expect(meter.usage).toMatchObject({
      inputTokens: 2400,
      maxRoundPromptTokens: 900,
      toolCalls: { web_search: 2 },
    })
  })

  it('adds up what the upstream counts, and forgets what was estimated before', () => {
    const meter = new RealtimeMeter()
    meter.sent(text({ type: 'input_audio_buffer.append', audio: speech(6) }))
    meter.received(text({ type: 'response.audio.delta', delta: speech(6) }))
    expect(meter.estimate()).toMatchObject({ audioInputTokens: 167, audioOutputTokens: 84 })
    for (let turn = 0; turn < 2; turn += 1)
      meter.received(
        text({ type: 'response.done', response: { usage: { input_tokens: 7, output_tokens: 3 } } }),
      )
    expect(meter.uncounted()).toBeUndefined()
    expect(meter.usage).toMatchObject({ inputTokens: 14, outputTokens: 6 })
    expect(meter.estimate()).toEqual(meter.usage)
  })

  it('counts what the upstream does not, a response that broke off among it', () => {
    const meter = new RealtimeMeter()
    const format = { type: 'audio/pcmu' }
    meter.sent(
      text({ type: 'session.update', session: { instructions: 'Be ', audio: { input: { format } } } }),
    )
    meter.sent(text({ type: 'input_audio_buffer.append', audio: speech(60, 8000) }))
    meter.received(text({ type: 'response.output_text.delta', delta: 'one' }))
    meter.received(text({ type: 'response.done', response: { usage: null } }))
    const item = { content: [{ type: 'input_text', text: 'kind' }] }
    meter.sent(text({ type: 'conversation.item.create', item }))
    meter.received(text({ type: 'response.function_call_arguments.delta', delta: ' two' }))
    expect(meter.uncounted()).toMatchObject({
      input: { text: 'Be kind', audioTokens: 1667 },
      output: { text: 'one two', audioTokens: 0 },
    })
  })

  it('knows whether a response is under way, asked for or begun by the upstream', () => {
    const meter = new RealtimeMeter()
    const respondsAfter = (side: 'sent' | 'received', type: string) => {
      meter[side](text({ type }))
      return meter.isResponding
    }
    expect(respondsAfter('sent', 'response.create')).toBe(true)
    expect(respondsAfter('received', 'response.created')).toBe(true)
    expect(respondsAfter('received', 'response.output_text.delta')).toBe(true)
    expect(respondsAfter('received', 'response.done')).toBe(false)
    expect(respondsAfter('received', 'response.created')).toBe(true)
    expect(respondsAfter('received', 'response.done')).toBe(false)
    expect(respondsAfter('sent', 'response.create')).toBe(true)
    expect(respondsAfter('received', 'error')).toBe(false)
  })

  it('charges nothing for what nobody answered', () => {
    const meter = new RealtimeMeter()
    meter.sent(text({ type: 'input_audio_buffer.append', audio: speech(1) }))
    meter.received(text({ type: 'response.done', response: { status: 'failed' } }))
    expect([meter.hasResponded, meter.uncounted()]).toEqual([false, undefined])
  })

  it.each(['', '{', '[]', 'null', '"x"', '{"type":7}', '{"type":"toString"}'])(
    'does not mind %p',
    (message) => {
      const meter = new RealtimeMeter()
      meter.sent(message)
      expect(meter.received(message)).toBe('other')
      expect(meter.hasResponded).toBe(false)
    },
  )
})

it('an error is an event with the id of its request', () => {
  const error = { status: 403, message: 'no', type: 'insufficient_quota', param: null, code: 'c' }
  expect(JSON.parse(encodeRealtimeError(error, 'evt_1'))).toEqual({
    type: 'error',
    event_id: 'evt_1',
    error: { type: 'insufficient_quota', code: 'c', message: 'no', param: null },
  })
})

describe('the limit of a response', () => {
  function judged(...sent: readonly object[]) {
    const limits: (number | undefined)[] = []
    const meter = new RealtimeMeter((_usage, limit) => limits.push(limit) > 1)
    for (const event of sent) meter.sent(text(event))
    const done = { type: 'response.done', response: { usage: { input_tokens: 9, output_tokens: 900 } } }
    meter.received(text({ type: 'response.output_text.delta', delta: 'three words here' }))
    meter.received(text(done))
    meter.received(text(done))
    return { limits, meter }
  }

  it('is that of the session, by either name, or of the response alone', () => {
    const session = { type: 'session.update', session: { max_output_tokens: 50 } }
    expect(judged().limits).toEqual([undefined, undefined])
    expect(judged(session).limits).toEqual([50, 50])
    const create = { type: 'response.create', response: { max_response_output_tokens: 7 } }
    expect(judged(session, create).limits).toEqual([7, 50])
    const lifted = { type: 'session.update', session: { max_response_output_tokens: 'inf' } }
    expect(judged(session, lifted).limits).toEqual([undefined, undefined])
  })

  it('has a count that is not believed counted again', () => {
    const { meter } = judged()
    expect(meter.usage.outputTokens).toBe(900)
    expect(meter.uncounted()?.output.text).toBe('three words here')
  })
})
