import { setImmediate as turn } from 'node:timers/promises'
import { newToken, newUser } from '../../store/contract/samples.ts'
import type { BalanceShareRepository } from '../../store/money/balance-shares.ts'
import type { LedgerRepository, Store } from '../../store/store.ts'
import { Journal } from '../journal/journal.ts'
import { createLedger, type LedgerOptions } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger-types.ts'
import type { Fleet, FleetMessages } from '../shares/fleet.ts'
import { chargeOf, silentLogger } from './charges.ts'
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts'
import type { Fault } from './memory-ledger-repository.ts'

/** One node of a fleet: its ledger, and what can go wrong with it. */
export interface FleetNode {
  readonly name: string
  ledger: Ledger
  /** Nothing that it asks the database for is written, or ever answered. */
  isPartitioned: boolean
  /** Hears no message of the others. */
  isSilent: boolean
  /** Faults of its next writes of shares, credits and holds, one each. */
  readonly faults: Fault[]
  /** Ends as `kill -9` does, and starts again. */
  crash(): Promise<void>
  /** Reaches the database again, under a new lease when its shares were reclaimed. */
  rejoin(): void
  /** Other nodes return its shares, as they do with a node that is silent. */
  reclaim(): Promise<void>
}

export interface LedgerFleet {
  readonly nodes: readonly FleetNode[]
  /** Starts another node, of which those that were alone hear. */
  join(): Promise<FleetNode>
  close(): Promise<void>
}

let fleets = 0

/** Ledgers of several nodes in one process, over one database. */
export async function createLedgerFleet(
  store: Store,
  size: number,
  options: Pick<LedgerOptions, 'accountLimit'> = {},
): Promise<LedgerFleet> {
  fleets += 1
  const name = `fleet-${fleets}`
  const messages = createMessages()
  const heard: (() => void)[] = []
  const nodes: FleetNode[] = []
  let live = size
  const fleet = {
    nodes: () => live,
    messages,
    onCompany: (hear: () => void) => void heard.push(hear),
  }
  const start = async (index: number) => {
    const node = await startNode(`${name}-${index}`, store, fleet, options)
    nodes.push(node)
    return node
  }
  for (let index = 0; index < size; index += 1) await start(index)
  return {
    nodes,
    async join() {
      live += 1
      for (const hear of heard) hear()
      return await start(live - 1)
    },
    async close() {
      for (const { ledger } of nodes) await ledger.close()
    },
  }
}

/** Creates messages that reach all nodes a moment later, as JSON. */
function createMessages(): FleetMessages {
  const handlers = new Set<(message: unknown) => void>()
  return {
    async send(message) {
      const text = JSON.stringify(message)
      setImmediate(() => {
        for (const handler of handlers) handler(JSON.parse(text))
      })
    },
    subscribe(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}

async function startNode(
  name: string,
  store: Store,
  fleet: Pick<Fleet, 'nodes' | 'onCompany'> & { readonly messages: FleetMessages },
  options: Pick<LedgerOptions, 'accountLimit'>,
): Promise<FleetNode> {
  const disk: MemoryDisk = createMemoryDisk()
  const faults: Fault[] = []
  let life = { alive: true, pending: 0 }
  let journal: Journal
  let lease = 0
  let isReclaimed = false

  const messages: FleetMessages = {
    send: fleet.messages.send,
    subscribe: (handler) => fleet.messages.subscribe((message) => node.isSilent || handler(message)),
  }

  async function start(): Promise<Ledger> {
    life = { alive: true, pending: 0 }
    journal = new Journal({
      node: name,
      files: disk,
      clock: Date,
      logger: silentLogger,
      segmentBytes: 16 * 1024,
    })
    return await createLedger({
      repository: repositoryOf(store.ledger, life, faults, () => node.isPartitioned),
      journal,
      clock: Date,
      logger: silentLogger,
      fleet: { ...fleet, messages, shareLease: () => (isReclaimed ? undefined : lease) },
      flushDelayMs: 1,
      flushRetryMs: 1,
      ...options,
    })
  }

  async function end(): Promise<void> {
    life.alive = false
    faults.length = 0
    // The server ends what it has begun.
    while (life.pending > 0) await turn()
    await journal.close()
  }

  const node: FleetNode = {
    name,
    isPartitioned: false,
    isSilent: false,
    faults,
    ledger: undefined as unknown as Ledger,
    async crash() {
      await end()
      node.rejoin()
      node.ledger = await start()
    },
    rejoin() {
      node.isPartitioned = false
      if (isReclaimed) lease += 1
      isReclaimed = false
    },
    async reclaim() {
      isReclaimed = true
      await store.transaction((tx) => tx.ledger.shares?.returnAll(name) ?? Promise.resolve())
    },
  }
  node.ledger = await start()
  return node
}

/** A node's view of the database. */
function repositoryOf(
  repository: LedgerRepository,
  life: { alive: boolean; pending: number },
  faults: Fault[],
  isPartitioned: () => boolean,
): LedgerRepository {
  const never = new Promise<never>(() => undefined)

  async function run<T>(work: () => Promise<T>, fault: Fault | undefined): Promise<T> {
    if (fault === 'before' || isPartitioned()) throw new Error('the database is out of reach')
    const result = await work()
    if (fault === 'after' || isPartitioned()) throw new Error('the connection was lost')
    return result
  }

  const through =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>, canFail = false) =>
    (...args: Args): Promise<T> => {
      if (!life.alive) return never
      life.pending += 1
      return run(() => call(...args), canFail ? faults.shift() : undefined)
        .finally(() => {
          life.pending -= 1
        })
        .then(
          (result) => (life.alive ? result : never),
          (error) => (life.alive ? Promise.reject(error) : never),
        )
    }
  const shares = repository.shares as BalanceShareRepository
  return {
    shares: {
      read: through(shares.read),
      readLocked: through(shares.readLocked),
      acquire: through(shares.acquire, true),
      giveBack: through(shares.giveBack, true),
      payOverdrafts: through(shares.payOverdrafts),
      holders: through(shares.holders),
      returnAll: through(shares.returnAll),
    },
    balanceOf: through(repository.balanceOf),
    balancesOf: through(repository.balancesOf),
    credit: through(repository.credit, true),
    setBalance: through(repository.setBalance, true),
    list: through(repository.list),
    journalPosition: through(repository.journalPosition),
    journalSpans: through(repository.journalSpans),
    passAccountIds: through(repository.passAccountIds),
    flush: through(repository.flush),
    databaseId: through(repository.databaseId),
    hold: through(repository.hold, true),
    findHold: through(repository.findHold),
    endHold: through(repository.endHold, true),
  }
}

/** A user with a key, each with a balance of their own. */
export async function createPayer(
  store: Store,
  balance: number,
): Promise<{ userId: number; tokenId: number }> {
  const { id: userId } = await store.users.create(newUser())
  const { id: tokenId } = await store.tokens.create(newToken(userId))
  const money = { cause: 'initial', amount: balance, createdAt: 1, actorId: 0, note: '' } as const
  await store.ledger.credit({ ...money, accountKind: 'user', accountId: userId })
  await store.ledger.credit({ ...money, accountKind: 'token', accountId: tokenId })
  return { userId, tokenId }
}

/** A charge of a payer on a channel that is there. */
export function chargeFor(payer: { userId: number; tokenId: number }, channelId: number, quota: number) {
  return chargeOf({ ...payer, channelId, quota })
}
