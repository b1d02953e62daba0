import { expect } from 'bun:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startDeadline } from '../../../../../scripts/deadline/deadline.mjs'
import type { Store } from '../../store/store.ts'
import type { Ledger, Reservation } from '../ledger-types.ts'
import {
  chargeFor,
  createLedgerFleet,
  createPayer,
  type FleetNode,
  type LedgerFleet,
} from './ledger-fleet.ts'

/** One thing that happens to a fleet. Numbers pick among what there is; a step may go on while the next ones happen. */
export type FleetStep = {
  readonly node: number
  readonly payer: number
  readonly pick: number
  readonly amount: number
  readonly goesOn: boolean
  readonly do:
    | 'reserve'
    | 'settle'
    | 'extend'
    | 'release'
    | 'credit'
    | 'debit'
    | 'set-balance'
    | 'hold'
    | 'settle-hold'
    | 'release-hold'
    | 'lose-request'
    | 'lose-response'
    | 'partition'
    | 'reclaim'
    | 'rejoin'
    | 'crash'
    | 'changed'
    | 'wait'
}

interface OpenCall {
  readonly node: FleetNode
  readonly ledger: Ledger
  readonly payer: Payer
  readonly reservation: Reservation
}

interface Payer {
  readonly userId: number
  readonly tokenId: number
  /** Everything that has been or is being credited. */
  credited: number
  /** Settled charges by request. */
  readonly charged: Map<string, number>
}

export interface FleetWorldOptions {
  readonly store: Store
  readonly channelId: number
  /** Runs SQL past the store. */
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

const initialBalance = 1000
const nodeCount = 3
const payerCount = 3

/**
 * Nodes beside the simplest model of them: what is settled and reserved of a balance anywhere is never more than was credited,
 * every settled call is in the database once, and at the end one node can spend all that is left.
 */
export async function createFleetWorld({ store, channelId, query }: FleetWorldOptions) {
  // Fewer places than accounts: they come and go.
  const fleet: LedgerFleet = await createLedgerFleet(store, nodeCount, { accountLimit: 2 })
  const payers: Payer[] = []
  for (let index = 0; index < payerCount; index += 1)
    payers.push({
      ...(await createPayer(store, initialBalance)),
      credited: initialBalance,
      charged: new Map(),
    })
  let open: OpenCall[] = []
  const holds = new Map<string, Payer>()
  /** Work that goes on, by the ledger that does it: one that has crashed never answers. */
  const running = new Map<Promise<unknown>, Ledger | undefined>()
  /** A debit, or shares returned of a node that still has calls: they may leave less than was promised. */
  let mayOverspend = false
  let calls = 0

  const at = <Item>(items: readonly Item[], pick: number): Item | undefined =>
    items[pick % Math.max(1, items.length)]

  function take(pick: number): OpenCall | undefined {
    return open.splice(pick % Math.max(1, open.length), 1)[0]
  }

  async function reserve(node: FleetNode, payer: Payer, estimate: number): Promise<void> {
    const { ledger } = node
    const { userId, tokenId } = payer
    await ledger.load(userId, tokenId)
    const token = { id: tokenId, unlimited: false }
    const result = await ledger.reserveOrAcquire({ userId, token, estimate, model: 'm' })
    if (result.ok && node.ledger === ledger)
      open.push({ node, ledger, payer, reservation: result.reservation })
  }

  async function settle(call: OpenCall, cost: number): Promise<void> {
    const { node, ledger, payer, reservation } = call
    await ledger.cover(reservation, cost)
    if (node.ledger !== ledger) return
    calls += 1
    const requestId = `fleet-call-${payer.userId}-${calls}`
    const quota = Math.min(cost, ledger.affordable(reservation))
    ledger.settle(reservation, { ...chargeFor(payer, channelId, quota), requestId })
    ledger.record()
    payer.charged.set(requestId, quota)
  }

  async function hold(node: FleetNode, payer: Payer, amount: number): Promise<void> {
    calls += 1
    const id = `fleet-hold-${payer.userId}-${calls}`
    const { userId, tokenId } = payer
    // It may be there although the response was lost.
    holds.set(id, payer)
    await node.ledger.hold({ id, userId, token: { id: tokenId, unlimited: false }, model: 'task', amount })
  }

  async function endHold(node: FleetNode, pick: number, cost: number | undefined): Promise<void> {
    const [id, payer] = at([...holds], pick) ?? []
    if (id === undefined || payer === undefined) return
    const stored = await store.ledger.findHold(id)
    if (stored === undefined) return
    const charge = { ...chargeFor(payer, channelId, Math.min(cost ?? 0, stored.amount)), requestId: id }
    await (cost === undefined ? node.ledger.releaseHold(id) : node.ledger.settleHold(id, charge))
  }

  function credit(node: FleetNode, payer: Payer, amount: number): Promise<unknown> {
    payer.credited += Math.max(0, amount)
    const change = { cause: 'admin-change', actorId: 1, note: '', amount } as const
    return Promise.all([
      node.ledger.credit({ ...change, kind: 'user', id: payer.userId }),
      node.ledger.credit({ ...change, kind: 'token', id: payer.tokenId }),
    ])
  }

  /** A ledger that has crashed never answers. */
  async function unlessItDies({ node, ledger }: OpenCall, work: Promise<unknown>): Promise<void> {
    let isDone = false
    void work.finally(() => {
      isDone = true
    })
    while (!isDone && node.ledger === ledger) await turn()
  }

  type Deed = (node: FleetNode, payer: Payer, step: FleetStep) => Promise<unknown> | unknown

  const deeds: Readonly<Record<FleetStep['do'], Deed>> = {
    reserve: (node, payer, { amount }) => reserve(node, payer, amount),
    settle(_node, _payer, { pick, amount }) {
      const call = take(pick)
      return call && unlessItDies(call, settle(call, amount))
    },
    extend(_node, _payer, { pick, amount }) {
      const call = at(open, pick)
      const extending = async () => call?.ledger.extendOrAcquire(call.reservation, amount)
      return call && unlessItDies(call, extending())
    },
    release(_node, _payer, { pick }) {
      const call = take(pick)
      call?.ledger.release(call.reservation)
    },
    credit: (node, payer, { amount }) => credit(node, payer, amount),
    debit(node, payer, { amount }) {
      mayOverspend = true
      return credit(node, payer, -amount)
    },
    'set-balance'({ ledger }, payer, { amount }) {
      mayOverspend = true
      const change = { cause: 'admin-change', actorId: 1, note: '', balance: amount } as const
      return ledger.setBalance({ ...change, kind: 'user', id: payer.userId })
    },
    hold: (node, payer, { amount }) => hold(node, payer, amount),
    'settle-hold': (node, _payer, { pick, amount }) => endHold(node, pick, amount),
    'release-hold': (node, _payer, { pick }) => endHold(node, pick, undefined),
    'lose-request': ({ faults }) => faults.push('before'),
    'lose-response': ({ faults }) => faults.push('after'),
    partition(node) {
      node.isPartitioned = true
    },
    reclaim(node) {
      if (!node.isPartitioned) return
      // What it has reserved, or settled without the database, is spent from what is free when it is back.
      mayOverspend = true
      return node.reclaim()
    },
    rejoin: (node) => node.rejoin(),
    async crash(node) {
      await node.crash()
      open = open.filter((call) => call.node !== node)
    },
    changed(_node, { userId }) {
      for (const { ledger } of fleet.nodes) ledger.accountChanged('user', userId)
    },
    async wait(_node, _payer, { pick }) {
      for (let turns = 0; turns < pick; turns += 1) await turn()
    },
  }

  async function perform(step: FleetStep): Promise<void> {
    const node = at(fleet.nodes, step.node)
    const payer = at(payers, step.payer)
    if (node !== undefined && payer !== undefined) await deeds[step.do](node, payer, step)
  }

  function checkSpending(): void {
    if (mayOverspend) return
    for (const payer of payers) {
      const settled = [...payer.charged.values()].reduce((sum, quota) => sum + quota, 0)
      const reserved = open
        .filter((call) => call.payer === payer && call.node.ledger === call.ledger)
        .reduce((sum, { reservation }) => sum + reservation.reserved, 0)
      expect(settled + reserved).toBeLessThanOrEqual(payer.credited)
    }
  }

  /** One node can reserve all that is left, once the others have learned what they were in doubt about. */
  async function checkNothingStranded({ userId, tokenId }: Payer, { ledger }: FleetNode): Promise<void> {
    const token = { id: tokenId, unlimited: false }
    const limit = startDeadline(8000)
    for (;;) {
      await ledger.load(userId, tokenId)
      const balances = [
        await store.ledger.balanceOf('user', userId),
        await store.ledger.balanceOf('token', tokenId),
      ]
      const estimate = Math.max(0, Math.min(...balances.map((balance) => balance ?? 0)))
      const result = await ledger.reserveOrAcquire({ userId, token, estimate, model: 'whole' })
      if (result.ok) return ledger.release(result.reservation)
      if (limit.remainingMs() <= 0) expect(result).toMatchObject({ ok: true })
      await Bun.sleep(50)
    }
  }

  async function checkWritten(payer: Payer): Promise<void> {
    const written = await query(
      `select request_id, quota from logs where user_id = ${payer.userId} and request_id like 'fleet-call%'`,
    )
    expect(new Map(written.map((row) => [String(row['request_id']), Number(row['quota'])]))).toEqual(
      payer.charged,
    )
    expect(written).toHaveLength(payer.charged.size)
  }

  return {
    async perform(step: FleetStep): Promise<void> {
      const work = perform(step).catch(() => undefined)
      running.set(
        work,
        step.do === 'settle' || step.do === 'extend' ? undefined : fleet.nodes[step.node]?.ledger,
      )
      void work.finally(() => running.delete(work))
      if (!step.goesOn || step.do === 'crash') await work
      checkSpending()
    },
    /** Everything ends, and the books must balance. */
    async finish(): Promise<void> {
      for (const node of fleet.nodes) {
        node.rejoin()
        node.faults.length = 0
      }
      const alive = new Set<Ledger | undefined>(fleet.nodes.map(({ ledger }) => ledger))
      await Promise.all([...running].filter(([, ledger]) => alive.has(ledger)).map(([work]) => work))
      checkSpending()
      for (const { ledger, node, reservation } of open)
        if (node.ledger === ledger) ledger.release(reservation)
      for (const { ledger } of fleet.nodes) await ledger.flush()
      for (const [index, payer] of payers.entries())
        await checkNothingStranded(payer, fleet.nodes[index % nodeCount] as FleetNode)
      await fleet.close()
      for (const payer of payers) await checkWritten(payer)
      expect(await store.audit.findings()).toEqual([])
      for (const { userId, tokenId } of payers) {
        expect((await store.ledger.shares?.read('', 'user', [userId]))?.get(userId)).toMatchObject({
          granted: 0,
        })
        expect((await store.ledger.shares?.read('', 'token', [tokenId]))?.get(tokenId)).toMatchObject({
          granted: 0,
        })
      }
    },
  }
}
