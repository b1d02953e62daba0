import { describe, expect, it } from 'bun:test'
import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../lib/refusal.ts'
import { createReleaseCheck } from './release-check.ts'

const url = 'https://code.example/releases/latest'

function world(...responses: readonly (string | number | Error)[]) {
  const clock = { time: 0, now: () => clock.time }
  const settings = { current: { ReleaseCheckUrl: url } }
  let requested = 0
  const check = createReleaseCheck({
    settings: settings as never,
    clock,
    version: '1.2.0',
    async fetch() {
      const response = responses[requested++] ?? 500
      if (response instanceof Error) throw response
      return typeof response === 'number' ? { status: response, body: '' } : { status: 200, body: response }
    },
  })
  const outcome = () =>
    check().then(
      ({ tag_name }) => tag_name,
      (error: unknown) => (error instanceof Refusal ? error.code : error),
    )
  return { settings, clock, check, outcome, requested: () => requested }
}

const released = (tag_name: string) => JSON.stringify({ tag_name, body: 'notes', draft: false })

describe('the release check', () => {
  it('returns tag and notes, with one request for all calls within the hour', async () => {
    const { check, outcome, clock, requested } = world(released('v1.2'), released('v1.3'))
    const found = { tag_name: 'v1.2', body: 'notes', newer: false }
    expect(await Promise.all([check(), check()])).toEqual([found, found])
    clock.time = 3_599_999
    expect([await outcome(), requested()]).toEqual(['v1.2', 1])
    clock.time = 3_600_000
    expect([await outcome(), requested()]).toEqual(['v1.3', 2])
  })

  it.each([
    ['v1.2.1', true],
    ['1.10.0', true],
    ['release-2.0', true],
    ['1.3.0-rc.1', true],
    ['1.2.0-rc.1', false],
    ['v1.2.0', false],
    ['1.2.0+build.7', false],
    ['v1.1.9', false],
  ])('compares versions: %s', async (tag, newer) => {
    expect(await world(released(tag)).check()).toMatchObject({ tag_name: tag, newer })
  })

  it('is off without an address, and follows the address', async () => {
    const { settings, outcome, requested } = world(released('v1'), released('v2'))
    settings.current.ReleaseCheckUrl = ''
    expect([await outcome(), requested()]).toEqual(['release_check_off', 0])
    settings.current.ReleaseCheckUrl = url
    expect(await outcome()).toBe('v1')
    settings.current.ReleaseCheckUrl = `${url}?other`
    expect(await outcome()).toBe('v2')
  })

  it.each([404, 301, new OutboundError('timeout'), '{', '[]', '{"tag_name":5}', '{"tag_name":"nightly"}'])(
    'refuses when the host answers %p, and asks again only after a while',
    async (response) => {
      const { outcome, clock, requested } = world(response, released('v1'))
      expect(await outcome()).toBe('release_check_failed')
      expect([await outcome(), requested()]).toEqual(['release_check_failed', 1])
      clock.time = 30_000
      expect(await outcome()).toBe('v1')
    },
  )

  it('accepts a release without notes, and cuts notes that are too long', async () => {
    expect(await world('{"tag_name":"v1"}').check()).toEqual({ tag_name: 'v1', body: '', newer: false })
    const long = JSON.stringify({ tag_name: 'v1', body: 'n'.repeat(200_000) })
    expect((await world(long).check()).body).toHaveLength(100_000)
  })
})
