import { describe, expect, it } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../ledger-types.ts'
import { chargeOf, settledIn } from '../test-support/charges.ts'
import { admitted, flushed, ledgerBench, requestOf, settleFor } from '../test-support/ledger-bench.ts'

async function funded(user = 1000, token = 1000) {
  const bench = await ledgerBench()
  bench.repository.open('user', 1, user)
  bench.repository.open('token', 1, token)
  await bench.ledger.load(1, 1)
  return bench
}

const limited = { token: { id: 1, unlimited: false } } as const

describe('reserve', () => {
  it('awaits nothing once the accounts are in memory', async () => {
    const { ledger, repository } = await ledgerBench()
    repository.open('user', 1, 10)
    repository.open('token', 1, 10)
    const loading = ledger.load(1, 1)
    expect(loading).toBeInstanceOf(Promise)
    await loading
    expect(ledger.load(1, 1)).toBeUndefined()
    expect(ledger.load(1, 0)).toBeUndefined()
  })

  it('cannot promise the same quota twice', async () => {
    const { ledger } = await funded(250)
    expect(ledger.reserve(requestOf()).ok).toBe(true)
    expect(ledger.reserve(requestOf()).ok).toBe(true)
    expect(ledger.reserve(requestOf())).toEqual({
      ok: false,
      refusal: 'user-quota',
      balance: 50,
      needed: 100,
    })
  })

  it('holds on a limited token as well, and on an unlimited one nothing', async () => {
    const { ledger } = await funded(1000, 150)
    expect(ledger.reserve(requestOf(limited)).ok).toBe(true)
    expect(ledger.reserve(requestOf(limited))).toEqual({
      ok: false,
      refusal: 'token-quota',
      balance: 50,
      needed: 100,
    })
    expect(ledger.reserve(requestOf()).ok).toBe(true)
  })

  it('holds nothing on the user when the token refuses', async () => {
    const { ledger } = await funded(100, 0)
    expect(ledger.reserve(requestOf(limited)).ok).toBe(false)
    expect(ledger.reserve(requestOf()).ok).toBe(true)
  })

  it('lets free calls pass whatever the balance', async () => {
    const { ledger } = await funded(-5, 0)
    expect(ledger.reserve(requestOf({ ...limited, estimate: 0 })).ok).toBe(true)
    expect(ledger.reserve(requestOf({ estimate: 1 })).ok).toBe(false)
  })

  it('works without a token', async () => {
    const { ledger } = await funded()
    const reservation = admitted(ledger.reserve(requestOf({ token: null })))
    settleFor(ledger, reservation, 30)
    expect(ledger.balance('user', 1)).toBe(970)
    expect(ledger.balance('token', 1)).toBe(1000)
  })

  it('refuses accounts that are not loaded', async () => {
    const { ledger } = await funded()
    expect(ledger.reserve(requestOf({ userId: 2 }))).toMatchObject({ ok: false, refusal: 'account-unknown' })
    expect(ledger.reserve(requestOf({ token: { id: 9, unlimited: true } }))).toMatchObject({
      ok: false,
      refusal: 'account-unknown',
    })
  })

  it('refuses an invalid estimate', async () => {
    const { ledger } = await funded()
    for (const estimate of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => ledger.reserve(requestOf({ estimate }))).toThrow(RangeError)
    }
  })
})

describe('bursts', () => {
  it('serves no more of 64 concurrent calls than a balance worth 10 covers, once one charge was seen', async () => {
    const { ledger } = await funded(11_000, 11_000)
    settleFor(ledger, admitted(ledger.reserve(requestOf({ estimate: 10 }))), 1000)
    const results = Array.from({ length: 64 }, () => ledger.reserve(requestOf({ estimate: 10 })))
    const served = results.filter(({ ok }) => ok)
    expect(served.length).toBe(10)
    for (const result of served) settleFor(ledger, admitted(result), 1000)
    expect(ledger.balance('user', 1)).toBe(0)
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusal: 'user-quota', needed: 1000 })
  })

  it('outruns no balance with calls that nothing limits, whatever cheap ones were made before', async () => {
    const { ledger } = await funded(11_010)
    settleFor(ledger, admitted(ledger.reserve(requestOf({ estimate: 10 }))), 10)
    const request = requestOf({ estimate: 10, unboundedEstimate: 3000 })
    const burst = () => Array.from({ length: 64 }, () => ledger.reserve(request)).filter(({ ok }) => ok)
    const served = burst()
    expect(served.length).toBe(3)
    for (const result of served) settleFor(ledger, admitted(result), 1000)
    expect(burst().length).toBe(2)
  })

  it('holds the same on a limited token', async () => {
    const { ledger } = await funded(1_000_000, 11_000)
    settleFor(ledger, admitted(ledger.reserve(requestOf({ ...limited, estimate: 10 }))), 1000)
    const results = Array.from({ length: 64 }, () => ledger.reserve(requestOf({ ...limited, estimate: 10 })))
    expect(results.filter(({ ok }) => ok).length).toBe(10)
  })

  it('serves a single small call of a user who could not pay an expensive one', async () => {
    const { ledger } = await funded(1050)
    settleFor(ledger, admitted(ledger.reserve(requestOf({ estimate: 10 }))), 1000)
    const lone = admitted(ledger.reserve(requestOf({ estimate: 10 })))
    expect(lone.reserved).toBe(50)
    expect(ledger.reserve(requestOf({ estimate: 10 })).ok).toBe(false)
    settleFor(ledger, lone, 10)
    expect(ledger.reserve(requestOf({ estimate: 10 })).ok).toBe(true)
  })
})

describe('settle', () => {
  it('moves the charge and gives the hold back', async () => {
    const { ledger } = await funded(100, 100)
    settleFor(ledger, admitted(ledger.reserve(requestOf(limited))), 40)
    expect(ledger.balance('user', 1)).toBe(60)
    expect(ledger.balance('token', 1)).toBe(60)
    expect(ledger.reserve(requestOf({ ...limited, estimate: 60 })).ok).toBe(true)
  })

  it('charges what was delivered, also beyond the hold and the balance', async () => {
    const { ledger } = await funded(100, 100)
    settleFor(ledger, admitted(ledger.reserve(requestOf(limited))), 250)
    expect(ledger.balance('user', 1)).toBe(-150)
    expect(ledger.balance('token', 1)).toBe(-150)
    expect(ledger.reserve(requestOf({ estimate: 1 }))).toMatchObject({ refusal: 'user-quota', balance: -150 })
  })

  it('counts unlimited tokens down', async () => {
    const { ledger } = await funded(100, 0)
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 40)
    expect(ledger.balance('token', 1)).toBe(-40)
  })

  it('moves money once however often a call is ended, and says so', async () => {
    const { ledger, repository, messages } = await funded()
    const settled = admitted(ledger.reserve(requestOf()))
    settleFor(ledger, settled, 100)
    settleFor(ledger, settled, 100)
    ledger.release(settled)
    const released = admitted(ledger.reserve(requestOf()))
    ledger.release(released)
    ledger.release(released)
    settleFor(ledger, released, 100)
    expect(ledger.balance('user', 1)).toBe(900)
    await flushed(ledger)
    expect(repository.settlements.length).toBe(1)
    expect(
      messages.filter(
        (text) =>
          text === 'ledger: this call had ended before and is not charged again: report it with this entry',
      ).length,
    ).toBe(2)
    expect(ledger.reserve(requestOf({ estimate: 900 })).ok).toBe(true)
  })

  it('refuses an invalid charge, one for other accounts, or one of a foreign reservation', async () => {
    const { ledger } = await funded()
    const reservation = admitted(ledger.reserve(requestOf()))
    for (const quota of [-1, 1.5, Number.NaN]) {
      expect(() => settleFor(ledger, reservation, quota)).toThrow(RangeError)
    }
    expect(() => ledger.settle(reservation, chargeOf({ userId: 2 }))).toThrow(RangeError)
    expect(() => ledger.settle({ userId: 1, tokenId: 1, reserved: 100 }, chargeOf())).toThrow(TypeError)
    settleFor(ledger, reservation, 1)
    expect(ledger.balance('user', 1)).toBe(999)
  })

  it('is on the disk when it returns', async () => {
    const { ledger, openJournal } = await funded()
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 77)
    expect(settledIn(openJournal().entriesAfter(0))).toMatchObject([
      { seq: 1, userId: 1, tokenId: 1, quota: 77 },
    ])
  })
})

describe('release', () => {
  it('gives everything back', async () => {
    const { ledger } = await funded(100, 100)
    ledger.release(admitted(ledger.reserve(requestOf(limited))))
    expect(ledger.reserve(requestOf(limited)).ok).toBe(true)
    expect(ledger.balance('user', 1)).toBe(100)
  })
})

describe('extend', () => {
  it('holds more on user and limited token together, and gives all of it back', async () => {
    const { ledger } = await funded(300, 250)
    const growing = admitted(ledger.reserve(requestOf(limited)))
    expect(ledger.extend(growing, 100)).toBe(true)
    expect(growing.reserved).toBe(200)
    expect(ledger.reserve(requestOf({ ...limited, estimate: 51 }))).toMatchObject({ refusal: 'token-quota' })
    expect(ledger.reserve(requestOf({ estimate: 101 }))).toMatchObject({ refusal: 'user-quota' })
    ledger.release(growing)
    expect(ledger.reserve(requestOf({ ...limited, estimate: 250 })).ok).toBe(true)
  })

  it('grows from what the shorter of user and token has promised, however much the other one has', async () => {
    for (const [user, token] of [
      [1_000_000, 300],
      [300, 1_000_000],
    ] as const) {
      const { ledger } = await funded(user, token)
      const lone = admitted(ledger.reserve(requestOf({ ...limited, estimate: 10, unboundedEstimate: 3000 })))
      expect(lone.reserved).toBe(300)
      expect(ledger.extend(lone, 1)).toBe(false)
    }
  })

  it('changes nothing when the user or the token cannot give the step', async () => {
    for (const [user, token] of [
      [150, 1000],
      [1000, 150],
    ] as const) {
      const { ledger } = await funded(user, token)
      const growing = admitted(ledger.reserve(requestOf(limited)))
      expect(ledger.extend(growing, 51)).toBe(false)
      expect(growing.reserved).toBe(100)
      expect(ledger.extend(growing, 50)).toBe(true)
      expect(ledger.extend(growing, 1)).toBe(false)
    }
  })

  it('asks an unlimited token for nothing', async () => {
    const { ledger } = await funded(1000, 0)
    expect(ledger.extend(admitted(ledger.reserve(requestOf())), 500)).toBe(true)
  })

  it('does nothing for a call that has ended, and refuses an invalid amount', async () => {
    const { ledger } = await funded()
    const settled = admitted(ledger.reserve(requestOf()))
    expect(() => ledger.extend(settled, -1)).toThrow(RangeError)
    settleFor(ledger, settled, 10)
    const released = admitted(ledger.reserve(requestOf()))
    ledger.release(released)
    for (const ended of [settled, released]) {
      expect(ledger.extend(ended, 1)).toBe(false)
      expect(ledger.affordable(ended)).toBe(0)
    }
    expect(ledger.reserve(requestOf({ estimate: 990 })).ok).toBe(true)
  })
})

describe('coverable', () => {
  it('is what user and limited token could still give the call, its own hold included', async () => {
    const { ledger } = await funded(1000, 400)
    const other = admitted(ledger.reserve(requestOf(limited)))
    const call = admitted(ledger.reserve(requestOf(limited)))
    expect(ledger.affordable(call)).toBe(300)
    expect(ledger.affordable(admitted(ledger.reserve(requestOf())))).toBe(800)
    settleFor(ledger, other, 390)
    expect(ledger.affordable(call)).toBe(10)
  })

  it('is never less than nothing', async () => {
    const { ledger } = await funded(100)
    const free = admitted(ledger.reserve(requestOf({ estimate: 0 })))
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 500)
    expect(ledger.affordable(free)).toBe(0)
  })
})

describe('a call that its accounts could not pay in full', () => {
  const boundless = requestOf({ ...limited, estimate: 10, unboundedEstimate: 500 })

  it('has the next one without a limit cover what it cost, by whatever key', async () => {
    const { ledger } = await funded(1000, 100)
    const short = admitted(ledger.reserve(boundless))
    ledger.settle(short, { ...chargeOf(), quota: 100 }, 600)
    expect(ledger.balance('token', 1)).toBe(0)
    await ledger.setBalance({
      kind: 'token',
      id: 1,
      balance: 100,
      cause: 'admin-change',
      actorId: 1,
      note: '',
    })
    expect(ledger.reserve(boundless)).toMatchObject({ refusal: 'token-quota', balance: 100, needed: 600 })
    ledger.release(admitted(ledger.reserve({ ...boundless, model: 'another' })))
    expect(ledger.reserve(requestOf({ ...limited, estimate: 10 })).ok).toBe(true)
  })

  it('changes nothing for the next one where it was paid', async () => {
    const { ledger } = await funded(1000, 1000)
    ledger.settle(admitted(ledger.reserve(boundless)), { ...chargeOf(), quota: 950 })
    expect(ledger.reserve(boundless).ok).toBe(true)
  })
})

describe('a call that fails', () => {
  const { quota: _, ...failure } = chargeOf({ requestId: 'failed' })

  it('costs nothing and leaves a row of its own kind', async () => {
    const { ledger, repository } = await funded(100)
    ledger.releaseLogged(admitted(ledger.reserve(requestOf())), failure)
    ledger.logFailure(failure)
    ledger.record()
    expect(ledger.unflushed('user', 1)).toEqual({ quota: 0, calls: 0 })
    expect(ledger.balance('user', 1)).toBe(100)
    expect(ledger.reserve(requestOf()).ok).toBe(true)
    await ledger.flush()
    expect(repository.settlements).toMatchObject([
      { seq: 1, kind: 'error', quota: 0, requestId: 'failed' },
      { seq: 2, kind: 'error', quota: 0 },
    ])
    expect(repository.stored('user', 1)).toBe(100)
  })

  it('is neither charged nor logged again once the call has ended', async () => {
    const { ledger, repository } = await funded(100)
    const settled = admitted(ledger.reserve(requestOf()))
    settleFor(ledger, settled, 40)
    ledger.releaseLogged(settled, failure)
    const failed = admitted(ledger.reserve(requestOf({ estimate: 10 })))
    ledger.releaseLogged(failed, failure)
    ledger.releaseLogged(failed, failure)
    settleFor(ledger, failed, 40)
    await ledger.flush()
    expect(repository.settlements.map(({ kind }) => kind)).toEqual(['consumption', 'error'])
    expect(ledger.balance('user', 1)).toBe(60)
  })

  it('leaves nothing where logging is off', async () => {
    const { ledger, repository } = await funded(100)
    ledger.releaseLogged(admitted(ledger.reserve(requestOf())), { ...failure, logged: false })
    ledger.logFailure({ ...failure, logged: false })
    await ledger.flush()
    expect(repository.settlements).toEqual([])
  })

  it('before it held anything takes no room that calls in flight were promised', async () => {
    const bench = await ledgerBench({ journalOptions: { segmentBytes: 8 * 1024 } })
    bench.repository.open('user', 1, 1000)
    await bench.ledger.load(1, 0)
    bench.disk.capacity = 0
    bench.repository.down = true
    while (bench.ledger.reserve(requestOf({ token: null, estimate: 0 })).ok);
    bench.ledger.logFailure(failure)
    bench.ledger.record()
    expect([...bench.openJournal().entriesAfter(0)]).toEqual([])
  })
})

describe('ledger and database', () => {
  it('writes settled calls behind, and says what is on the way', async () => {
    const { ledger, repository } = await funded()
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 70)
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 30)
    for (const kind of ['user', 'token', 'channel'] as const) {
      expect(ledger.unflushed(kind, 1)).toEqual({ quota: 100, calls: 2 })
    }
    await flushed(ledger)
    for (const kind of ['user', 'token', 'channel'] as const) {
      expect(ledger.unflushed(kind, 1)).toEqual({ quota: 0, calls: 0 })
    }
    expect(repository.stored('user', 1)).toBe(900)
    expect(repository.stored('token', 1)).toBe(900)
    expect(repository.stored('channel', 1)).toBe(-100)
  })

  it('reports balances that moved: by calls once they are stored and many at a time, by other moves at once', async () => {
    const reported: Record<number, number>[] = []
    const { ledger, repository } = await ledgerBench({
      flushDelayMs: 20,
      onBalancesChanged: (balances) => reported.push(Object.fromEntries(balances)),
    })
    for (const id of [1, 2, 3]) repository.open('user', id, 1000)
    repository.open('token', 1, 0)
    for (const id of [1, 2, 3]) await ledger.load(id, 1)
    for (let calls = 0; calls < 64; calls += 1)
      settleFor(ledger, admitted(ledger.reserve(requestOf({ estimate: 10 }))), 10)
    settleFor(ledger, admitted(ledger.reserve(requestOf({ userId: 2, token: null }))), 100)
    // Free: nothing moves.
    settleFor(ledger, admitted(ledger.reserve(requestOf({ userId: 3 }))), 0)
    expect(reported).toEqual([])
    await flushed(ledger)
    expect(reported).toEqual([{ 1: 360, 2: 900 }])
    const inTransaction = { cause: 'top-up', actorId: 0, note: '' } as const
    await ledger.credit({ ...inTransaction, kind: 'user', id: 3, amount: 5 })
    await ledger.setBalance({ ...inTransaction, kind: 'user', id: 1, balance: 7 })
    await ledger.credit({ ...inTransaction, kind: 'token', id: 1, amount: 5 })
    await ledger.hold({ id: 'h', userId: 2, token: null, amount: 50, model: 'm' })
    await ledger.releaseHold('h')
    expect(reported.slice(1)).toEqual([{ 3: 1005 }, { 1: 7 }, { 2: 850 }, { 2: 900 }])
  })

  it('replays what a killed process had settled before anything is served', async () => {
    const { ledger, repository, openLedger } = await funded()
    repository.down = true
    for (let call = 0; call < 5; call += 1) settleFor(ledger, admitted(ledger.reserve(requestOf())), 10)
    expect(repository.stored('user', 1)).toBe(1000)
    repository.down = false
    const next = await openLedger()
    expect(repository.stored('user', 1)).toBe(950)
    await next.load(1, 1)
    expect(next.balance('user', 1)).toBe(950)
  })

  it('does not open over another database than the one it charged', async () => {
    const { ledger, repository, openLedger } = await funded()
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 10)
    repository.databaseId = async () => 'replaced'
    await expect(openLedger()).rejects.toThrow('has charges of another database')
    expect(repository.stored('user', 1)).toBe(1000)
  })

  it('does not open while the database cannot take the journal', async () => {
    const { ledger, repository, openLedger } = await funded()
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 10)
    await ledger.close()
    repository.down = true
    await expect(openLedger()).rejects.toThrow('the database is down')
  })

  it('writes what it still has and says what is gone when the database is older than the journal', async () => {
    const { repository, openLedger, messages, disk, ledger } = await funded()
    const spend = async (on: Ledger) => {
      await on.load(1, 1)
      for (let call = 0; call < 5; call += 1) settleFor(on, admitted(on.reserve(requestOf())), 10)
      await on.close()
    }
    await spend(ledger)
    await spend(await openLedger())
    disk.segments[0]?.fill(0)
    repository.goBack('n', 2)
    const next = await openLedger()
    expect(messages.join('\n')).toContain('the database is older than the journal')
    expect(repository.settlements.map(({ seq }) => seq)).toEqual([1, 2, 6, 7, 8, 9, 10])
    await spend(next)
    expect(repository.settlements.at(-1)?.seq).toBe(15)
  })

  it('admits nothing while the journal has no room, and again when it has', async () => {
    const bench = await ledgerBench({ journalOptions: { segmentBytes: 8 * 1024 } })
    const { ledger, repository, disk, clock } = bench
    repository.open('user', 1, 1_000_000)
    repository.open('token', 1, 1_000_000)
    await ledger.load(1, 1)
    disk.capacity = 0
    repository.down = true
    let calls = 0
    const isAdmitting = () => ledger.admitting
    while (isAdmitting()) {
      settleFor(ledger, admitted(ledger.reserve(requestOf())), 1)
      calls += 1
    }
    expect(calls).toBeGreaterThan(0)
    expect(ledger.reserve(requestOf())).toMatchObject({ ok: false, refusal: 'journal-full' })
    repository.down = false
    await flushed(ledger)
    clock.advance(1000)
    expect(isAdmitting()).toBe(true)
    expect(ledger.reserve(requestOf()).ok).toBe(true)
    expect(repository.stored('user', 1)).toBe(1_000_000 - calls)
  })

  it('writes everything out when it closes', async () => {
    const { ledger, repository } = await funded()
    settleFor(ledger, admitted(ledger.reserve(requestOf())), 10)
    await ledger.close()
    expect(repository.stored('user', 1)).toBe(990)
  })

  it('keeps accounts in memory while their calls are not written', async () => {
    const { ledger, repository } = await ledgerBench({ accountLimit: 2 })
    for (let id = 1; id <= 50; id += 1) repository.open('user', id, 100)
    await ledger.load(1, 0)
    repository.down = true
    settleFor(ledger, admitted(ledger.reserve(requestOf({ token: null }))), 60)
    repository.down = false
    const balances = new Set<number | undefined>()
    for (let id = 2; id <= 50; id += 1) {
      await ledger.load(id, 0)
      balances.add(ledger.balance('user', 1))
      await sleep(0)
      await ledger.load(1, 0)
    }
    balances.delete(undefined)
    expect([...balances]).toEqual([40])
  })
})
