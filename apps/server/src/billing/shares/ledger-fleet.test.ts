import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import { newChannel } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { Ledger, Reservation, ReserveResult } from '../ledger-types.ts'
import { silentLogger } from '../test-support/charges.ts'
import { admitted } from '../test-support/ledger-bench.ts'
import { chargeFor, createLedgerFleet, createPayer } from '../test-support/ledger-fleet.ts'

setDefaultTimeout(deadline(60_000))

describe.skipIf(!hasPostgres())('ledgers of three nodes', () => {
  let postgres: Postgres
  let store: Store
  let channelId: number

  beforeAll(async () => {
    postgres = await startPostgres()
    store = await openStore({
      databaseUrl: await postgres.createDatabase(),
      dataDir: '',
      logger: silentLogger,
    })
    channelId = (await store.channels.create(newChannel())).id
  })
  afterAll(async () => {
    await store.close()
    await postgres.stop()
  })

  interface Payer {
    readonly userId: number
    readonly tokenId: number
  }

  async function reserve(ledger: Ledger, payer: Payer, estimate: number): Promise<ReserveResult> {
    const { userId, tokenId } = payer
    await ledger.load(userId, tokenId)
    return await ledger.reserveOrAcquire({
      userId,
      token: { id: tokenId, unlimited: false },
      estimate,
      model: 'm',
    })
  }

  function settle(ledger: Ledger, reservation: Reservation, payer: Payer, quota: number): void {
    ledger.settle(reservation, chargeFor(payer, channelId, quota))
    ledger.record()
  }

  async function stored(payer: Payer): Promise<[number | undefined, number | undefined]> {
    return [
      await store.ledger.balanceOf('user', payer.userId),
      await store.ledger.balanceOf('token', payer.tokenId),
    ]
  }

  async function freeOf(tokenId: number): Promise<number> {
    const figures = (await store.ledger.shares?.read('', 'token', [tokenId]))?.get(tokenId)
    return (figures?.quota ?? 0) - (figures?.granted ?? 0)
  }

  /** Everything ends; then nothing is granted any more and the books balance. */
  async function closed(fleet: { close(): Promise<void> }, payer: Payer): Promise<void> {
    await fleet.close()
    expect(await store.audit.findings()).toEqual([])
    for (const kind of ['user', 'token'] as const) {
      const id = kind === 'user' ? payer.userId : payer.tokenId
      expect((await store.ledger.shares?.read('', kind, [id]))?.get(id)).toMatchObject({ granted: 0 })
    }
  }

  it('admit ten of 64 calls on each node against a balance worth ten', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    const calls = fleet.nodes.flatMap(({ ledger }) =>
      Array.from({ length: 64 }, async () => ({ ledger, result: await reserve(ledger, payer, 100) })),
    )
    const admittedCalls = (await Promise.all(calls)).filter(({ result }) => result.ok)
    expect(admittedCalls).toHaveLength(10)
    for (const { ledger, result } of admittedCalls) settle(ledger, admitted(result), payer, 100)
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([0, 0])
  })

  it('serve the ten calls that a balance is worth, one after the other, each on another node', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    for (let call = 0; call < 10; call += 1) {
      const { ledger } = fleet.nodes[call % 3] ?? fail()
      settle(ledger, admitted(await reserve(ledger, payer, 100)), payer, 100)
    }
    expect(await reserve(fleet.nodes[1]?.ledger ?? fail(), payer, 100)).toMatchObject({
      ok: false,
      refusal: 'user-quota',
    })
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([0, 0])
  })

  it('refuse no call of six quick ones, each on the next node, before a balance is nearly spent', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 3000)
    const [estimate, cost, callers] = [60, 20, 6]
    let [calls, charged] = [0, 0]
    const leftWhenRefused: number[] = []
    async function call(): Promise<void> {
      const { ledger } = fleet.nodes[calls++ % 3] ?? fail()
      const result = await reserve(ledger, payer, estimate)
      if (!result.ok) return void leftWhenRefused.push(3000 - charged)
      await Bun.sleep(2)
      settle(ledger, result.reservation, payer, cost)
      charged += cost
    }
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (leftWhenRefused.length === 0) await call()
      }),
    )
    // The others have reserved their estimates; where two ask for the same part at once, one of them may be late.
    expect(Math.max(...leftWhenRefused)).toBeLessThan(2 * callers * estimate)
    await closed(fleet, payer)
  })

  it('serve a call that is alone with what is left, although such calls cost more', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 260)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const { userId, tokenId } = payer
    const token = { id: tokenId, unlimited: false }
    const request = { userId, token, estimate: 20, unboundedEstimate: 200, model: 'm' }
    await a.ledger.load(userId, tokenId)
    settle(a.ledger, admitted(await a.ledger.reserveOrAcquire(request)), payer, 100)
    await a.ledger.flush()
    // What it holds and does not use.
    const idle = admitted(await reserve(a.ledger, payer, 100))
    await b.ledger.load(userId, tokenId)
    a.ledger.release(idle)
    b.ledger.release(admitted(await b.ledger.reserveOrAcquire(request)))
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([160, 160])
  })

  it('name the whole balance in a refusal, wherever it is, and not the share of a node', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const held = admitted(await reserve(a.ledger, payer, 990))
    const refused = { ok: false, refusal: 'user-quota' } as const
    expect(await reserve(b.ledger, payer, 5000)).toMatchObject({ ...refused, balance: 1000, needed: 5000 })
    // The whole would cover it, and is in use.
    const { balance } = (await reserve(b.ledger, payer, 500)) as ReserveResult & { balance: number }
    expect(balance).toBeLessThanOrEqual(10)
    a.ledger.release(held)
    await closed(fleet, payer)
  })

  it('ask another node for what it holds and does not use', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1_000_000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    a.ledger.release(admitted(await reserve(a.ledger, payer, 10)))
    const whole = await reserve(b.ledger, payer, 1_000_000)
    expect(whole).toMatchObject({ ok: true })
    expect(await reserve(a.ledger, payer, 10)).toMatchObject({ ok: false, refusal: 'user-quota' })
    b.ledger.release(admitted(whole))
    expect(b.ledger.balance('user', payer.userId)).toBe(1_000_000)
    await closed(fleet, payer)
  })

  it('return what they do not need when another one joins them, which they may never hear', async () => {
    const fleet = await createLedgerFleet(store, 1)
    const payer = await createPayer(store, 1_000_000)
    const [alone] = fleet.nodes
    if (alone === undefined) return fail()
    alone.ledger.release(admitted(await reserve(alone.ledger, payer, 10)))
    const other = await fleet.join()
    alone.isSilent = true
    const call = await until(async () => {
      const result = await reserve(other.ledger, payer, 900_000)
      return result.ok ? result : undefined
    })
    other.ledger.release(call.reservation)
    await closed(fleet, payer)
  })

  it('do not say that a balance is too low while one that does not reply holds it', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const held = admitted(await reserve(a.ledger, payer, 900))
    expect(await reserve(b.ledger, payer, 200)).toMatchObject({ ok: false, refusal: 'user-quota' })
    a.isSilent = true
    await until(async () => {
      const result = await reserve(b.ledger, payer, 200)
      return !result.ok && result.refusal === 'account-unknown' ? true : undefined
    })
    // Nobody has as much.
    expect(await reserve(b.ledger, payer, 2000)).toMatchObject({ ok: false, refusal: 'user-quota' })
    a.ledger.release(held)
    await closed(fleet, payer)
  })

  it('return what their calls do not need once they are about to end', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1_000_000)
    const [leaving] = fleet.nodes
    if (leaving === undefined) return fail()
    const held = async () =>
      (await store.ledger.shares?.read('', 'user', [payer.userId]))?.get(payer.userId)?.granted
    const first = admitted(await reserve(leaving.ledger, payer, 100))
    expect(await held()).toBeGreaterThan(100)
    leaving.ledger.leave()
    await until(async () => ((await held()) === 100 ? true : undefined))
    const second = admitted(await reserve(leaving.ledger, payer, 100))
    leaving.ledger.release(first)
    leaving.ledger.release(second)
    await until(async () => ((await held()) === 0 ? true : undefined))
    await closed(fleet, payer)
  })

  it('charge what a call costs beyond its share when the account has it', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 10_000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const other = admitted(await reserve(b.ledger, payer, 1000))
    const reservation = admitted(await reserve(a.ledger, payer, 1000))
    await a.ledger.cover(reservation, 8500)
    expect(a.ledger.affordable(reservation)).toBeGreaterThanOrEqual(8500)
    await a.ledger.cover(reservation, 20_000)
    expect(a.ledger.affordable(reservation)).toBe(9000)
    settle(a.ledger, reservation, payer, 8500)
    b.ledger.release(other)
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([1500, 1500])
  })

  it('let a call that is alone on its account have less than such calls cost, on one node at a time', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 60)
    const request = {
      userId: payer.userId,
      token: { id: payer.tokenId, unlimited: false },
      estimate: 10,
      unboundedEstimate: 50,
      model: 'm',
    }
    for (const { ledger } of fleet.nodes) await ledger.load(payer.userId, payer.tokenId)
    const results = await Promise.all(fleet.nodes.map(({ ledger }) => ledger.reserveOrAcquire(request)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    await closed(fleet, payer)
  })

  it('count a debit at once, and end what exceeds it', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1_000_000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    a.ledger.release(admitted(await reserve(a.ledger, payer, 10)))
    b.ledger.release(admitted(await reserve(b.ledger, payer, 10)))
    const debit = { kind: 'user', id: payer.userId, cause: 'admin-change', actorId: 1, note: '' } as const
    await a.ledger.credit({ ...debit, amount: -999_990 })
    for (const { ledger } of fleet.nodes) ledger.accountChanged('user', payer.userId)
    await Bun.sleep(200)
    const results = await Promise.all([a, b].map(({ ledger }) => reserve(ledger, payer, 10)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await a.ledger.setBalance({ ...debit, balance: 500 })).toBe(500)
    expect(await store.ledger.balanceOf('user', payer.userId)).toBe(500)
    await closed(fleet, payer)
  })

  it('debit holds from a share, and refund them to all', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const hold = { userId: payer.userId, token: { id: payer.tokenId, unlimited: false }, model: 'task' }
    expect(await a.ledger.hold({ ...hold, id: `hold-${payer.userId}`, amount: 700 })).toEqual({ ok: true })
    expect(await b.ledger.hold({ ...hold, id: `other-${payer.userId}`, amount: 700 })).toMatchObject({
      ok: false,
    })
    expect(await b.ledger.settleHold(`hold-${payer.userId}`, chargeFor(payer, channelId, 150))).toBe(true)
    expect(await a.ledger.settleHold(`hold-${payer.userId}`, chargeFor(payer, channelId, 150))).toBe(false)
    expect(await reserve(a.ledger, payer, 850)).toMatchObject({ ok: true })
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([850, 850])
  })

  it('spend no more of a key that becomes limited than it has left, whatever other nodes have charged', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 10_000)
    const richUser = { cause: 'admin-change', amount: 1_000_000, createdAt: 1, actorId: 0, note: '' } as const
    await store.ledger.credit({ ...richUser, accountKind: 'user', accountId: payer.userId })
    const [a, b, c] = fleet.nodes
    if (a === undefined || b === undefined || c === undefined) return fail()
    const { userId, tokenId } = payer
    const unlimited = { userId, token: { id: tokenId, unlimited: true }, estimate: 10, model: 'm' }
    const open = async ({ ledger }: typeof a) => {
      await ledger.load(userId, tokenId)
      return admitted(await ledger.reserveOrAcquire(unlimited))
    }
    for (const node of [b, c]) {
      settle(node.ledger, await open(node), payer, 4000)
      await node.ledger.flush()
    }
    const inFlight = await open(b)
    c.isPartitioned = true
    await store.tokens.changeOwn(userId, [tokenId], { unlimitedQuota: false })
    for (const { ledger } of [a, b]) ledger.limitChanged(tokenId)
    expect(await reserve(a.ledger, payer, 2001)).toMatchObject({ ok: false, refusal: 'token-quota' })
    // A move of the account waits for the one before it.
    await b.ledger.credit({ kind: 'token', id: tokenId, cause: 'refund', amount: 0, actorId: 0, note: '' })
    await Bun.sleep(20)
    settle(b.ledger, inFlight, payer, 500)
    await b.ledger.flush()
    await until(async () => ((await freeOf(tokenId)) === 1500 ? true : undefined))
    await Bun.sleep(300)
    expect(await reserve(a.ledger, payer, 1501)).toMatchObject({ ok: false, refusal: 'token-quota' })
    a.ledger.release(admitted(await reserve(a.ledger, payer, 1500)))
    c.isPartitioned = false
    c.ledger.limitChanged(tokenId)
    await closed(fleet, payer)
    expect((await stored(payer))[1]).toBe(1500)
  })

  it('read everything anew after changes were missed', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1_000_000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const inFlight = admitted(await reserve(a.ledger, payer, 10))
    const debit = { kind: 'user', id: payer.userId, cause: 'admin-change', actorId: 1, note: '' } as const
    await b.ledger.credit({ ...debit, amount: -999_980 })
    expect((await reserve(a.ledger, payer, 100)).ok).toBe(true)
    a.ledger.changesMissed()
    expect(await eventually(() => reserve(a.ledger, payer, 100))).toMatchObject({ refusal: 'user-quota' })
    settle(a.ledger, inFlight, payer, 10)
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([10, 999_990])
  })

  it('return the shares of a node that is gone, whose journal is settled later', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const reservation = admitted(await reserve(a.ledger, payer, 600))
    a.isPartitioned = true
    settle(a.ledger, reservation, payer, 500)
    expect(await reserve(b.ledger, payer, 900)).toMatchObject({ ok: false })
    await a.reclaim()
    expect(await reserve(a.ledger, payer, 10)).toMatchObject({ ok: false })
    await Bun.sleep(300)
    const other = admitted(await reserve(b.ledger, payer, 900))
    await a.crash()
    settle(b.ledger, other, payer, 300)
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([200, 200])
  })

  it('hold nothing under a new lease, and charge what was in flight once', async () => {
    const fleet = await createLedgerFleet(store, 3)
    const payer = await createPayer(store, 1000)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) return fail()
    const reservation = admitted(await reserve(a.ledger, payer, 600))
    a.isPartitioned = true
    await a.reclaim()
    expect(a.ledger.extend(reservation, 1)).toBe(false)
    const other = admitted(await reserve(b.ledger, payer, 800))
    a.rejoin()
    expect(await eventually(() => reserve(a.ledger, payer, 300))).toMatchObject({
      ok: false,
      refusal: 'user-quota',
    })
    await a.ledger.cover(reservation, 600)
    expect(a.ledger.affordable(reservation)).toBe(200)
    settle(a.ledger, reservation, payer, 200)
    settle(b.ledger, other, payer, 800)
    await closed(fleet, payer)
    expect(await stored(payer)).toEqual([0, 0])
  })
})

/** The first outcome that does not come from a node that cannot look at its balances. */
async function eventually(attempt: () => Promise<ReserveResult>): Promise<ReserveResult> {
  for (;;) {
    const result = await attempt()
    if (result.ok || result.refusal !== 'account-unknown') return result
    await Bun.sleep(5)
  }
}

function fail(): never {
  throw new Error('no such node')
}
