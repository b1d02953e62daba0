import { describe, expect, it } from 'bun:test'
import { noUsage } from '@tollgate/formats'
import { estimateOf } from '../../../billing/pricing/charge.ts'
import { perToken } from '../../../billing/pricing/test-support/prices.ts'
import { chargeOf } from '../../../billing/test-support/charges.ts'
import { admitted, ledgerBench, requestOf } from '../../../billing/test-support/ledger-bench.ts'
import type { ModelRequest } from '../call.ts'
import type { Candidate } from '../routing/candidates.ts'
import { CallExposure, type ExposureDependencies } from './call-exposure.ts'
import { Overruns } from './overruns.ts'

const price = perToken()
const request = {
  maxOutputTokens: 10,
  candidates: 1,
  prompt: () => ({ messages: [], tools: [], texts: ['a question'], tokens: 0 }),
  native: { text: '{}' },
} as unknown as ModelRequest
const size = { request, price, promptTokens: 10, maxOutputTokens: 10, assumedTokens: 0 }
const estimate = estimateOf(size, price, 0)
const candidate = { channel: { id: 1, paramOverride: null }, upstreamModel: 'm' } as unknown as Candidate
const reasoning = { ...noUsage, inputTokens: 10, outputTokens: 20_000 }

/** Calls of one account at one upstream, whose ledger asks for more of a balance until `arrive` is called. */
async function callsOf(balance: number) {
  const { ledger, repository } = await ledgerBench()
  repository.open('user', 1, balance)
  await ledger.load(1, 0)
  const arrived = Promise.withResolvers<void>()
  const asking: Pick<ExposureDependencies['ledger'], 'secure'> = {
    secure: async (...args) => {
      await arrived.promise
      return await ledger.secure(...args)
    },
  }
  const overruns = new Overruns()
  const callOf = (secure: ExposureDependencies['ledger']['secure']) => {
    const reservation = admitted(ledger.reserve({ ...requestOf(), token: null, estimate }))
    const deps = { ledger: { secure, expect: ledger.expect.bind(ledger) }, overruns, nowMs: () => 0 }
    return { reservation, exposure: new CallExposure(size, reservation, deps) }
  }
  return {
    ledger,
    here: () => callOf(ledger.secure.bind(ledger)),
    waiting: () => callOf(asking.secure),
    arrive: arrived.resolve,
  }
}

describe('CallExposure', () => {
  it.each([
    ['lets no call start by what was known before it waited for its balance', 100_000, false],
    ['raises a call that waited to what is known by then', 250_000, true],
  ])('%s', async (_, balance, isServed) => {
    const { ledger, here, waiting, arrive } = await callsOf(balance)
    const [first, second] = [here(), waiting()]
    expect(first.exposure.secure(candidate)).toEqual({ ok: true })
    const securing = second.exposure.secure(candidate)
    // The first shows what such calls cost while the second waits.
    const cost = estimateOf({ ...size, maxOutputTokens: reasoning.outputTokens }, price, 0)
    ledger.settle(
      first.reservation,
      chargeOf({ tokenId: 0, quota: Math.min(cost, balance - estimate) }),
      cost,
    )
    first.exposure.learn(reasoning, true)
    arrive()
    expect((await securing)?.ok).toBe(isServed)
    if (isServed) expect(second.reservation.reserved).toBe(cost)
  })
})
