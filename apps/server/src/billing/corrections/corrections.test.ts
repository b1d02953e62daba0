import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { usageOf } from '@tollgate/formats'
import fc from 'fast-check'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { auditLogInMemory } from '../../records/audit-log/test-support/audit-log-in-memory.ts'
import { settingsInMemory } from '../../settings/test-support/settings-in-memory.ts'
import {
  postgresForTests,
  sqliteForTests,
  type TestDatabase,
  type TestStore,
} from '../../store/contract/place.ts'
import { newChannel, newToken, newUser } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import { encodeSettlements } from '../../store/settlement.ts'
import type { Store } from '../../store/store.ts'
import { costOf } from '../pricing/charge.ts'
import { explainCharge } from '../pricing/explain-charge.ts'
import { findPrice } from '../pricing/price-table.ts'
import { chargeOf, silentLogger } from '../test-support/charges.ts'
import { Corrections } from './corrections.ts'

setDefaultTimeout(deadline(120_000))

const models = ['m0', 'm1']
const groups = ['default', 'vip']
const startAt = 1_700_000_000
const actor = { userId: 1, username: 'root', role: 'root', address: '' } as const

/** A call as the test knows it: its counts, and what is charged of it by now. */
interface Made {
  readonly seq: number
  readonly at: number
  readonly payer: number
  readonly channelId: number
  readonly model: string
  readonly group: string
  readonly promptTokens: number
  readonly completionTokens: number
  charged: number
}

type Step =
  | { readonly kind: 'calls'; readonly seeds: readonly number[] }
  | { readonly kind: 'price'; readonly model: number; readonly ratio: number }
  | { readonly kind: 'group'; readonly ratio: number }
  | {
      readonly kind: 'correct'
      readonly by: 'all' | 'model' | 'channel' | 'group' | 'user'
      readonly pick: number
    }
  | { readonly kind: 'take-back'; readonly pick: number }
  | { readonly kind: 'lose'; readonly what: 'key' | 'user' | 'channel'; readonly pick: number }

const pick = fc.nat({ max: 7 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      seeds: fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      model: fc.nat({ max: 1 }),
      ratio: fc.integer({ min: 0, max: 900 }).map((value) => value / 100),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('group' as const),
      ratio: fc.integer({ min: 1, max: 900 }).map((value) => value / 100),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      by: fc.constantFrom('all', 'model', 'channel', 'group', 'user'),
      pick,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take-back' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      what: fc.constantFrom('key', 'user', 'channel'),
      pick,
    }),
  },
)

/** One installation, walked through calls, prices, corrections and losses, beside the simplest model of its books. */
async function walk(testStore: TestStore, steps: readonly Step[]): Promise<void> {
  const store = await openStore(testStore.config)
  try {
    const world = await createWorld(store, testStore)
    for (const next of steps) {
      await world.take(next)
      await world.check()
    }
  } finally {
    await store.close()
  }
}

/** Moves the money of one step; a test may have it fail. */
type Correct = ConstructorParameters<typeof Corrections>[0]['ledger']['correct']
const move: Correct = async (_accounts, write) => void (await write())

async function createWorld(store: Store, testStore: TestStore, correctAccounts: Correct = move) {
  const settings = await settingsInMemory()
  const prices = { m0: 1, m1: 2 }
  const ratios = { default: 1, vip: 0.5 }
  const payers = await Promise.all(Array.from({ length: 3 }, () => createPayer(store)))
  const channels = [await store.channels.create(newChannel()), await store.channels.create(newChannel())]
  const made: Made[] = []
  /** Additions of each correction in force, by the call. */
  const held = new Map<number, ReadonlyMap<Made, number>>()
  const node = `walk-${crypto.randomUUID()}`
  let now = startAt
  const corrections = new Corrections({
    store,
    usage: store.usage,
    settings,
    clock: { now: () => now * 1000 },
    auditLog: auditLogInMemory().auditLog,
    ledger: { correct: correctAccounts },
    logger: silentLogger,
    node,
    leases: store.leases,
  })
  await setPrices()

  async function setPrices(): Promise<void> {
    const consent = async (confirmation?: string) =>
      settings.change(
        [
          { key: 'ModelRatio', text: JSON.stringify(prices) },
          { key: 'GroupRatio', text: JSON.stringify(ratios) },
        ],
        undefined,
        { confirmation },
      )
    try {
      await consent()
    } catch (error) {
      await consent((error as { readonly confirmation?: string }).confirmation)
    }
  }

  function rightOf(call: Made): number {
    const price = findPrice(settings.current, call.model, call.group)
    if (price === 'unpriced') throw new Error('the model has a price')
    return costOf(usageOf({ inputTokens: call.promptTokens, outputTokens: call.completionTokens }), price)
  }

  async function addCalls(seeds: readonly number[]): Promise<void> {
    const after = made.length
    const calls = seeds.map((seed, index): Made => {
      const call: Made = {
        seq: after + index + 1,
        at: now + (seed % 9000),
        payer: seed % payers.length,
        channelId: channels[seed % 2]?.id ?? 0,
        model: models[seed % 2] ?? '',
        group: groups[Math.floor(seed / 2) % 2] ?? '',
        promptTokens: seed,
        completionTokens: seed % 97,
        charged: 0,
      }
      return { ...call, charged: rightOf(call) }
    })
    now += 10_000
    await store.ledger.flush({
      node,
      after,
      last: after + calls.length,
      batches: [
        encodeSettlements(
          calls.map((call) => {
            const price = findPrice(settings.current, call.model, call.group)
            if (price === 'unpriced') throw new Error('the model has a price')
            const used = usageOf({ inputTokens: call.promptTokens, outputTokens: call.completionTokens })
            return {
              ...chargeOf(call),
              createdAt: call.at,
              userId: payers[call.payer]?.userId ?? 0,
              // The playground spends no key.
              tokenId: call.seq % 5 === 0 ? 0 : (payers[call.payer]?.tokenId ?? 0),
              quota: call.charged,
              ...(call.seq % 2 === 0 && { cost: call.seq }),
              other: `{${explainCharge(used, price)}}`,
              seq: call.seq,
            }
          }),
        ),
      ],
    })
    made.push(...calls)
  }

  async function correct(by: string, chosen: number): Promise<void> {
    const payer = payers[chosen % payers.length]
    const channel = channels[chosen % 2]
    const [model, group] = [models[chosen % 2], groups[chosen % 2]]
    const selection = {
      from: 0,
      to: now - 1,
      ...(by === 'model' && { model_name: model }),
      ...(by === 'channel' && { channel: channel?.id }),
      ...(by === 'group' && { group }),
      ...(by === 'user' && { username: payer?.username }),
    }
    const isChosen = (call: Made) =>
      by === 'all' ||
      (by === 'model' && call.model === model) ||
      (by === 'channel' && call.channelId === channel?.id) ||
      (by === 'group' && call.group === group) ||
      (by === 'user' && payers[call.payer] === payer)
    const changes = new Map(
      made
        .filter(isChosen)
        .map((call) => [call, rightOf(call) - call.charged] as const)
        .filter(([, amount]) => amount !== 0),
    )
    const preview = await corrections.preview(selection)
    const amount = [...changes.values()].reduce((sum, change) => sum + change, 0)
    expect([preview.changed, preview.amount]).toEqual([changes.size, amount])
    const order = { ...selection, reason: 'wrong', confirmation: preview.confirmation }
    if (changes.size === 0) {
      expect(await corrections.apply(actor, order).catch((error: Error) => error.message)).toContain(
        'No charge',
      )
      return
    }
    const { id, state } = await corrections.apply(actor, order)
    expect(state).toBe('applied')
    for (const [call, change] of changes) call.charged += change
    held.set(id, changes)
  }

  async function takeBack(chosen: number): Promise<void> {
    const ids = [...held.keys()]
    const id = ids[chosen % Math.max(1, ids.length)]
    if (id === undefined) return
    await corrections.takeBack(actor, id, 'it was right')
    for (const [call, change] of held.get(id) ?? []) call.charged -= change
    held.delete(id)
  }

  async function lose(what: string, chosen: number): Promise<void> {
    const payer = payers[chosen % payers.length]
    if (what === 'key' && payer !== undefined)
      await store.tokens.changeOwn(payer.userId, [payer.tokenId], { deletedAt: now })
    if (what === 'user' && payer !== undefined) await store.users.update(payer.userId, { deletedAt: now })
    if (what === 'channel') await store.channels.delete(channels[chosen % 2]?.id ?? 0)
  }

  return {
    corrections,
    async take(next: Step): Promise<void> {
      switch (next.kind) {
        case 'calls':
          return addCalls(next.seeds)
        case 'price':
          prices[next.model === 0 ? 'm0' : 'm1'] = next.ratio
          return setPrices()
        case 'group':
          ratios.vip = next.ratio
          return setPrices()
        case 'correct':
          return correct(next.by, next.pick)
        case 'take-back':
          return takeBack(next.pick)
        case 'lose':
          return lose(next.what, next.pick)
      }
    },
    async check(): Promise<void> {
      expect(await store.audit.findings()).toEqual([])
      for (const [index, payer] of payers.entries()) {
        const charged = made
          .filter((call) => call.payer === index)
          .reduce((sum, call) => sum + call.charged, 0)
        const [account] = await testStore.sql(
          `select quota, used_quota from user_accounts where id = ${payer.userId}`,
        )
        expect([Number(account?.['quota']), Number(account?.['used_quota'])]).toEqual([
          payer.balance - charged,
          charged,
        ])
      }
      const total = made.reduce((sum, call) => sum + call.charged, 0)
      const { total: margin } = await store.statistics.margins({
        by: 'model',
        from: 0,
        end: now + 100_000,
        limit: 10,
      })
      expect(margin.quota).toBe(total)
    },
  }
}

async function createPayer(store: Store) {
  const user = await store.users.create(newUser())
  const token = await store.tokens.create(newToken(user.id))
  const balance = 1_000_000
  const money = { cause: 'initial', amount: balance, createdAt: 1, actorId: 0, note: '' } as const
  await store.ledger.credit({ ...money, accountKind: 'user', accountId: user.id })
  await store.ledger.credit({ ...money, accountKind: 'token', accountId: token.id })
  return { userId: user.id, username: user.username, tokenId: token.id, balance }
}

function correctionsOver(database: TestDatabase, runs: number): void {
  it(`adds up after any walk of calls, prices, corrections and losses, over ${database.dialect}`, async () => {
    const empty = await database.createTestStore()
    await (await openStore(empty.config)).close()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const testStore = await empty.copy()
        try {
          await walk(testStore, steps)
        } finally {
          await testStore.remove()
        }
      }),
      { numRuns: runs },
    )
    await empty.remove()
  })
}

describe('corrections of charges', () => {
  correctionsOver(sqliteForTests, 15)

  it('go on after a crash, before the money moved and after, and are made once', async () => {
    const testStore = await sqliteForTests.createTestStore()
    const store = await openStore(testStore.config)
    let fault: 'before' | 'after' | undefined
    const { take, check, corrections } = await createWorld(store, testStore, async (accounts, write) => {
      if (fault === 'before') throw new Error('the process dies')
      await move(accounts, write)
      if (fault === 'after') throw new Error('the process dies')
    })
    await take({ kind: 'calls', seeds: [100, 201, 302, 403] })
    await take({ kind: 'price', model: 0, ratio: 3 })
    const selection = { from: 0, to: startAt + 9999 }
    for (fault of ['before', 'after'] as const) {
      const { confirmation } = await corrections.preview(selection)
      const order = { ...selection, reason: 'wrong', confirmation }
      expect(await corrections.apply(actor, order).catch((error: Error) => error.message)).toBe(
        'the process dies',
      )
      expect(await store.audit.findings()).toEqual([])
      fault = undefined
      await corrections.resume()
      await corrections.resume()
      const [made] = (await corrections.page({ offset: 0, limit: 1 })).rows
      expect(made?.state).toBe('applied')
      expect((await corrections.preview(selection)).changed).toBe(0)
      expect(await store.audit.findings()).toEqual([])
      await corrections.takeBack(actor, made?.id ?? 0, 'again')
      await check()
    }
    await store.close()
    await testStore.remove()
  })

  describe.skipIf(!hasPostgres())('over PostgreSQL', () => {
    let postgres: Postgres
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterAll(() => postgres?.stop())
    correctionsOver(
      postgresForTests(() => postgres),
      5,
    )
  })
})
