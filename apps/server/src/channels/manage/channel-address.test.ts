import { describe, expect, it } from 'bun:test'
import { createOutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import { RouteChecks } from './channel-address.ts'

const route = (host: string) => ({ baseUrl: `https://${host}`, defaultBaseUrl: '', proxy: '' })

function checksOf(role: 'admin' | 'root') {
  const looked: string[] = []
  const guard = createOutboundGuard({
    allowedRanges: () => [],
    lookup: async (host) => {
      looked.push(host)
      return [host.startsWith('inner') ? '10.0.0.1' : '93.184.216.34']
    },
    clock: { now: () => 0 },
  })
  return { checks: new RouteChecks(role, guard), looked }
}

describe('checks of routes', () => {
  it('are made between two tries of the work that needs them, each once', async () => {
    const { checks, looked } = checksOf('admin')
    let tries = 0
    const trusted = await checks.decide(async () => {
      tries += 1
      const inTry = looked.length
      const verdicts = checks.forEach(['one.example', 'two.example', 'one.example'], (host) =>
        checks.verdict(route(host)),
      )
      expect(looked.length).toBe(inTry)
      return verdicts
    })
    expect(trusted).toEqual([false, false, false])
    expect([tries, looked.toSorted()]).toEqual([2, ['one.example', 'two.example']])
  })

  it('refuse each item its own route, and pass on what else goes wrong', async () => {
    const { checks } = checksOf('admin')
    const codes = await checks.decide(async () =>
      checks.forEach(['inner.example', 'outer.example'], (host) => {
        try {
          checks.verdict(route(host))
          return 'allowed'
        } catch (error) {
          if ((error as { code?: string }).code === undefined) throw error
          return (error as { code: string }).code
        }
      }),
    )
    expect(codes).toEqual(['channel_address_forbidden', 'allowed'])
    const broken = checks.decide(async () => {
      throw new Error('the database is gone')
    })
    expect(await broken.catch(String)).toContain('the database is gone')
  })

  it('let root set any', async () => {
    const { checks, looked } = checksOf('root')
    expect(await checks.decide(async () => checks.verdict(route('inner.example')))).toBe(true)
    expect(looked).toEqual([])
  })
})
