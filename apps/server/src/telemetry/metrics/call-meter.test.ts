import { describe, expect, it } from 'bun:test'
import { usageOf } from '@tollgate/formats'
import {
  type AttemptRecord,
  type ModelRequest,
  newCallTrace,
  type RelayCall,
} from '../../gateway/relay/call.ts'
import type { CallEnd } from '../../gateway/relay/observe.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { callFamilies } from './call-families.ts'
import { CallMeter } from './call-meter.ts'
import { exposition } from './exposition.ts'
import type { Family } from './family.ts'

function callOf(model: string, attempts: readonly AttemptRecord[] = [], stream = false) {
  const trace = { ...newCallTrace(), attempts: [...attempts], firstTokenMs: stream ? 120 : 0 }
  // The fields that the meter reads.
  return { request: { model, stream }, trace } as unknown as RelayCall<ModelRequest>
}

const attempt = (channel: number, kind: AttemptRecord['kind'] = 'ok'): AttemptRecord => ({
  channel,
  key: 0,
  startMs: 0,
  ms: 40,
  status: 200,
  kind,
})
const ok: CallEnd = {
  outcome: 'ok',
  why: undefined,
  doneMs: 700,
  usage: usageOf({ inputTokens: 10, cacheReadTokens: 5, outputTokens: 7 }),
  quota: 30,
  isRepeated: false,
}

function lines(families: readonly Family[], name: string): readonly string[] {
  const family = families.find((candidate) => candidate.name === name)
  if (family === undefined || family.type === 'histogram') return []
  return family.samples.map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`)
}

describe('the meter of calls', () => {
  it('counts a call that another channel made good', () => {
    const meter = new CallMeter(() => true)
    meter.ended(callOf('m', [attempt(3, 'timeout'), attempt(4)], true), ok)
    const families = callFamilies(meter)
    expect(lines(families, 'tollgate_calls_total')).toEqual(['m ok 1'])
    expect(lines(families, 'tollgate_attempts_total')).toEqual(['3 m timeout 1', '4 m ok 1'])
    expect(lines(families, 'tollgate_failovers_total')).toEqual(['3 m 1'])
    expect(lines(families, 'tollgate_tokens_total')).toEqual([
      '4 m input 10',
      '4 m cache_read 5',
      '4 m output 7',
    ])
    expect(lines(families, 'tollgate_charged_quota_total')).toEqual(['4 m 30'])
  })

  it('adds later charges of a session without counting its call again', () => {
    const meter = new CallMeter(() => true)
    const call = callOf('m', [attempt(4)])
    meter.ended(call, ok)
    meter.ended(call, { ...ok, isRepeated: true })
    const families = callFamilies(meter)
    expect(lines(families, 'tollgate_calls_total')).toEqual(['m ok 1'])
    expect(lines(families, 'tollgate_attempts_total')).toEqual(['4 m ok 1'])
    expect(lines(families, 'tollgate_charged_quota_total')).toEqual(['4 m 60'])
  })

  it('counts an error once, whether or not it became a call', () => {
    const meter = new CallMeter(() => false)
    const error = new RelayError('no_available_channel', 'none')
    meter.ended(callOf('made up'), { ...ok, outcome: 'no_channel', why: error, usage: usageOf({}), quota: 0 })
    meter.refused(error)
    meter.refused(new RelayError('invalid_api_key', 'unknown'))
    const families = callFamilies(meter)
    expect(lines(families, 'tollgate_errors_total')).toEqual(['no_available_channel 1', 'invalid_api_key 1'])
    expect(lines(families, 'tollgate_calls_total')).toEqual(['other no_channel 1'])
  })

  it('bounds its labels, and its sums hold', () => {
    const meter = new CallMeter(() => true)
    for (let index = 0; index < 5000; index += 1) meter.ended(callOf(`model ${index}`, [attempt(index)]), ok)
    const families = callFamilies(meter)
    const calls = lines(families, 'tollgate_calls_total')
    expect(calls.length).toBe(201)
    expect(calls).toContain('other ok 4800')
    const charged = lines(families, 'tollgate_charged_quota_total')
    expect(charged.length).toBe(2001)
    expect(charged).toContain(`other other ${3000 * 30}`)
  })
})

it('the text of a scrape escapes labels and accumulates buckets', async () => {
  const { contentType, body } = await exposition([
    { name: 'a_total', help: 'Of "a".', type: 'counter', samples: [{ labels: { b: 'c"\n\\' }, value: 2 }] },
    {
      name: 'd_seconds',
      help: 'D.',
      type: 'histogram',
      bounds: [0.5, 1],
      points: [{ labels: { e: 'f' }, counts: [1, 2, 3], sum: 9 }],
    },
  ])
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(body.split('\n').filter((line) => line !== '')).toEqual([
    '# HELP a_total Of "a".',
    '# TYPE a_total counter',
    'a_total{b="c\\"\\n\\\\"} 2',
    '# HELP d_seconds D.',
    '# TYPE d_seconds histogram',
    'd_seconds_bucket{e="f",le="0.5"} 1',
    'd_seconds_bucket{e="f",le="1"} 3',
    'd_seconds_bucket{e="f",le="+Inf"} 6',
    'd_seconds_sum{e="f"} 9',
    'd_seconds_count{e="f"} 6',
  ])
})
