import { afterAll, afterEach, describe, expect, it } from 'bun:test'
import { Refusal } from '../../../../lib/refusal.ts'
import { createHumanCheck } from './human-check.ts'

const requested: URLSearchParams[] = []
const spent = new Set<string>()
const good = { status: 200, body: '{"success":true}' }
let verdict = good

/** Like Cloudflare's: each token of a widget is valid once. */
const turnstile = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    if (new URL(request.url).pathname !== '/turnstile/v0/siteverify') return new Response('', { status: 404 })
    const fields = new URLSearchParams(await request.text())
    requested.push(fields)
    const response = fields.get('response') ?? ''
    if (spent.has(response)) return Response.json({ success: false, 'error-codes': ['timeout-or-duplicate'] })
    spent.add(response)
    return new Response(verdict.body, { status: verdict.status })
  },
})
const origin = `http://127.0.0.1:${turnstile.port}`
afterEach(() => {
  requested.length = 0
  spent.clear()
  verdict = good
})
afterAll(() => turnstile.stop(true))

const settings = { current: { TurnstileCheckEnabled: true, TurnstileSecretKey: 'site secret' } }

async function outcomeOf(provided: string, from = origin): Promise<Refusal | 'passed'> {
  try {
    await createHumanCheck({ settings, origin: from })(provided, '192.0.2.7')
    return 'passed'
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

describe('the human check', () => {
  it('sends Turnstile the secret, the token and the visitor’s address', async () => {
    expect(await outcomeOf('widget answer')).toBe('passed')
    expect(Object.fromEntries(requested[0] ?? [])).toEqual({
      secret: 'site secret',
      response: 'widget answer',
      remoteip: '192.0.2.7',
    })
  })

  it('accepts a token once', async () => {
    expect(await outcomeOf('one')).toBe('passed')
    const again = await outcomeOf('one')
    expect(again).toMatchObject({ code: 'human_check_failed' })
    // The visitor's fault, not the operator's.
    expect((again as Refusal).cause).toBeUndefined()
  })

  it('requires a token, and calls no service without one', async () => {
    expect(await outcomeOf('')).toMatchObject({ code: 'human_check_missing' })
    expect(requested).toEqual([])
  })

  it.each([
    [200, '{"success":false,"error-codes":["invalid-input-secret"]}'],
    [500, 'broken'],
    [200, '[]'],
    [200, '{"success":"true"}'],
    [302, ''],
  ])('refuses everyone on %p %p, and logs why', async (status, body) => {
    verdict = { status, body }
    const refused = await outcomeOf('fresh')
    expect(refused).toMatchObject({ code: 'human_check_failed' })
    expect((refused as Refusal).cause).toBeDefined()
  })

  it('refuses everyone when Turnstile cannot be reached', async () => {
    expect(await outcomeOf('fresh', 'http://127.0.0.1:9')).toMatchObject({ code: 'human_check_failed' })
  })

  it('checks nothing while it is switched off', async () => {
    const off = { current: { ...settings.current, TurnstileCheckEnabled: false } }
    await createHumanCheck({ settings: off, origin })('', '192.0.2.7')
    expect(requested).toEqual([])
  })
})
