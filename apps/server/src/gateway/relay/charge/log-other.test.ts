import { describe, expect, it } from 'bun:test'
import { logOther } from '@tollgate/api'
import { noUsage } from '@tollgate/formats'
import type { CallMode } from '@tollgate/providers'
import { imagePrice } from '../../../billing/pricing/media-price.ts'
import { createPrice, type Price } from '../../../billing/pricing/price.ts'
import { perToken } from '../../../billing/pricing/test-support/prices.ts'
import type { CallTrace } from '../call.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import { RelayError } from '../relay-error.ts'
import { explain, explainFailure } from './log-other.ts'

const price = perToken({ modelRatio: 0.075 })
const trace: CallTrace = {
  attempts: [
    { channel: 3, key: 0, startMs: 0, ms: 12, status: 429, kind: 'rate_limited' },
    { channel: 5, key: 1, startMs: 0, ms: 40, status: 200, kind: 'ok' },
  ],
  routedMs: 1,
  sentMs: 14,
  firstTokenMs: 30,
  isInstructed: false,
  sentModel: '',
  isCounted: false,
  affinity: { by: 'session_id', channelId: 3 },
}
const delivery = { usage: noUsage, upstreamModel: 'gpt-4o', estimated: false, ended: undefined } as const

function explained(request: Partial<CallRequest>, change: Partial<Parameters<typeof explain>[2]> = {}) {
  const requested = { model: 'gpt-4o', stream: true, reasoningEffort: '', ...request } as CallRequest
  return JSON.parse(
    explain({ request: requested, trace, createdAt: 1_764_400_000 }, price, { ...delivery, ...change }, 55),
  )
}

describe('explain', () => {
  it('shows the terms, the times and every attempt, in the shape that readers of the log expect', () => {
    const other = explained({})
    expect(logOther.strict().parse(other)).toEqual(other)
    expect(other).toEqual({
      model_ratio: 0.075,
      model_price: -1,
      completion_ratio: 4,
      group_ratio: 1,
      user_group_ratio: -1,
      cache_ratio: 0.5,
      cache_tokens: 0,
      frt: 30,
      timing: { routed: 1, sent: 14, first_token: 30, done: 55 },
      admin_info: {
        use_channel: ['3', '5'],
        attempts: trace.attempts.map(({ startMs: _, ...attempt }) => attempt),
        affinity: { by: 'session_id', channel: 3 },
      },
    })
  })

  it('marks a call of Anthropic’s form, and says what its input comes to with its cached tokens', () => {
    const usage = { ...noUsage, inputTokens: 10, cacheReadTokens: 90, cacheWriteTokens: 5 }
    const other = explained({}, { usage, upstreamFormat: 'anthropic-messages' })
    expect(logOther.strict().parse(other)).toEqual(other)
    expect(other).toMatchObject({ claude: true, input_tokens_total: 105, cache_tokens: 90 })
    expect(explained({}, { usage, upstreamFormat: 'openai-chat' })).not.toHaveProperty('claude')
  })

  it('says when the call was accepted where prices differ by time, and of work that ends later', () => {
    const createdAt = 1_764_400_000
    const call = {
      request: { model: 'gpt-4o', stream: false, reasoningEffort: '' } as CallRequest,
      trace,
      createdAt,
    }
    const other = (timed: Price, mode: CallMode) =>
      JSON.parse(explain({ ...call, mode }, timed, delivery, 55)).accepted_at
    const times = { zone: 'UTC', windows: [{ from: '22:00', to: '06:00', ratio: 0.5 }] }
    const timed = createPrice({ ...price.terms, times })
    const modes: readonly CallMode[] = ['chat', 'realtime', 'images', 'drawing', 'music', 'video']
    expect(modes.map((mode) => other(timed, mode))).toEqual(modes.map(() => createdAt))
    expect(modes.filter((mode) => other(price, mode) === createdAt)).toEqual(['drawing', 'music', 'video'])
    const order = { model: 'gpt-4o', n: 2, size: '1024x1024', quality: 'standard' }
    const perCall = createPrice({ kind: 'per-call', modelPrice: 1, quotaPerUnit: 5, groupRatio: 1, times })
    expect(other(imagePrice(perCall, order, 5), 'images')).toBe(createdAt)
  })

  it('marks a call that was not streamed', () => {
    expect(explained({ stream: false }).frt).toBe(-1000)
  })

  it('shows the upstream’s count where it was implausible', () => {
    const implausible = { ...noUsage, inputTokens: 99_999_999 }
    const other = explained({}, { implausible, estimated: true })
    expect(logOther.strict().parse(other)).toEqual(other)
    expect(other).toMatchObject({
      estimated: true,
      usage_disbelieved: { prompt_tokens: 99_999_999, completion_tokens: 0, reasoning_tokens: 0 },
    })
  })

  it('marks what was out of the ordinary, names with quotes and line breaks included', () => {
    const other = explained(
      { reasoningEffort: 'hi"gh\n' },
      { upstreamModel: 'a "b"\n\u2028', estimated: true, ended: 'upstream_cut' },
    )
    expect(logOther.strict().parse(other)).toEqual(other)
    expect(other).toMatchObject({
      is_model_mapped: true,
      upstream_model_name: 'a "b"\n\u2028',
      estimated: true,
      ended: 'upstream_cut',
      reasoning_effort: 'hi"gh\n',
    })
  })
})

describe('explainFailure', () => {
  const failed = (error: RelayError) =>
    JSON.parse(explainFailure({ request: { reasoningEffort: '' } as CallRequest, trace }, error, 55))

  it('names the refusal by its own code, with what its sentence names', () => {
    const error = new RelayError('insufficient_user_quota', 'Too little.', {
      messageParams: { balance: 3, needed: 40 },
    })
    const other = failed(error)
    expect(logOther.strict().parse(other)).toEqual(other)
    expect(other.error).toEqual({
      code: 'insufficient_user_quota',
      status: 403,
      reason: 'insufficient_user_quota',
      params: { balance: 3, needed: 40 },
    })
  })

  it('keeps an upstream’s code apart from the own one that may have the same name', () => {
    const error = new RelayError('upstream_error', 'No such model.', {
      status: 404,
      upstreamCode: 'model_not_found',
      param: 'model',
    })
    expect(failed(error).error).toEqual({
      code: 'model_not_found',
      status: 404,
      reason: 'upstream_error',
      params: { param: 'model' },
    })
  })
})
