import { describe, expect, it } from 'bun:test'
import { RequestTargets, requestTarget, type TargetFacts } from './request-target.ts'

const endpoint = (model: string, headers: Record<string, string> = {}) => ({
  url: `http://a/chat/${model}`,
  headers: { authorization: 'k0', ...headers },
})

describe('requestTarget', () => {
  it('adds what all requests say, and lets the endpoint and the caller say otherwise', () => {
    const plain = requestTarget(endpoint('m'))
    expect(plain.headers.get('user-agent')).toBe('Tollgate')
    expect(plain.headers.get('accept-encoding')).toBe('identity')
    const own = requestTarget(endpoint('m', { 'user-agent': 'its own' }), {
      'user-agent': 'the caller',
      'anthropic-beta': 'x',
    })
    expect(own.headers.get('user-agent')).toBe('its own')
    expect(own.headers.get('anthropic-beta')).toBe('x')
  })

  it('refuses what no header can hold', () => {
    expect(() => requestTarget(endpoint('m', { authorization: 'b\u00e4d\u4e2d' }))).toThrow(TypeError)
    expect(() => requestTarget({ url: 'nowhere', headers: {} })).toThrow(TypeError)
  })
})

describe('RequestTargets', () => {
  const facts: TargetFacts = { keyIndex: 0, upstreamModel: 'm', stream: false, query: '', callerHeaders: {} }
  const operation = {}

  it('makes each target once per channel, operation and facts, and caches a bounded number', () => {
    const targets = new RequestTargets<{ id: number }, object>()
    const [first, second] = [{ id: 1 }, { id: 2 }]
    let made = 0
    const find = (channel: { id: number }, upstreamModel: string) =>
      targets.find(channel, operation, { ...facts, upstreamModel }, () => {
        made += 1
        return requestTarget(endpoint(upstreamModel))
      })
    expect(find(first, 'm')).toBe(find(first, 'm'))
    expect(find(first, 'm')).not.toBe(find(second, 'm'))
    expect(made).toBe(2)
    for (let index = 0; index < 300; index += 1) expect(find(first, `m${index}`).url).toEndWith(`/m${index}`)
    expect(made).toBe(302)
    find(first, 'm299')
    expect(made).toBe(302)
    find(first, 'm0')
    expect(made).toBe(303)
  })

  it('distinguishes all facts that decide an address or a header', () => {
    const targets = new RequestTargets<object, object>()
    const channel = {}
    const requested: readonly (readonly [object, Partial<TargetFacts>])[] = [
      [operation, {}],
      [{}, {}],
      [operation, { keyIndex: 1 }],
      [operation, { stream: true }],
      [operation, { query: '?a' }],
      [operation, { callerHeaders: { a: 'b' } }],
      [operation, { callerModel: 'undefined' }],
      [operation, { callerModel: '' }],
      [operation, { upstreamModel: 'a b', callerModel: 'c' }],
      [operation, { upstreamModel: 'a', callerModel: 'b c' }],
      [operation, { upstreamModel: 'm', callerModel: 'n2 ?a' }],
      [operation, { upstreamModel: 'm', callerModel: 'n', query: '?a' }],
    ]
    const made = requested.map(([by, more]) =>
      targets.find(channel, by, { ...facts, ...more }, () => requestTarget(endpoint('m'))),
    )
    expect(new Set(made).size).toBe(requested.length)
  })

  it('does not cache a target that cannot be made', () => {
    const targets = new RequestTargets<object, object>()
    const channel = {}
    const broken = () => {
      throw new TypeError('no')
    }
    expect(() => targets.find(channel, operation, facts, broken)).toThrow(TypeError)
    expect(() => targets.find(channel, operation, facts, broken)).toThrow(TypeError)
  })
})
