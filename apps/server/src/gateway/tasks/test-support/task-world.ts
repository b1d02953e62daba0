import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicClock } from '@tollgate/base'
import { decodeErrorBody } from '@tollgate/formats'
import { bearer, type Provider, type TaskPolling, type TaskReport } from '@tollgate/providers'
import { auditBalances } from '../../../billing/audit-balances.ts'
import { openJournal } from '../../../billing/journal/open.ts'
import { createLedger } from '../../../billing/ledger/ledger.ts'
import { silentLogger } from '../../../billing/test-support/charges.ts'
import { newChannel, newToken, newUser } from '../../../store/contract/samples.ts'
import { openStore } from '../../../store/engine/open/open-store.ts'
import { type DispatchedTask, type NewTask, TaskStore } from '../task-store.ts'

const facts = { username: 'alice', tokenName: 'key', requestId: 'r1', other: '{"model_price":0.1}' }

const noJournal = { journalDirectory: '', journalsAside: [] }

interface NodeOptions {
  /** URL of a PostgreSQL database that several nodes share; a database of its own by default. */
  readonly databaseUrl?: string
  readonly clock?: { ms: number; now(): number }
}

export function settableClock() {
  const clock = { ms: 1_750_000_000_000, now: () => clock.ms }
  return clock
}

/** Opens the tasks and the money of one process, with a clock that the test sets. */
export async function openTaskNode({ databaseUrl, clock = settableClock() }: NodeOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-tasks-'))
  const store = await openStore({ dataDir, databaseUrl, logger: silentLogger })
  const journalDirectory = join(dataDir, 'journal')
  const journal = openJournal({
    directory: journalDirectory,
    clock: monotonicClock,
    logger: silentLogger,
    segmentBytes: 1024 * 1024,
  })
  const ledger = await createLedger({ repository: store.ledger, journal, clock, logger: silentLogger })
  const logs = { consumption: () => true, failures: () => true }
  const newHoldId = () => crypto.randomUUID()
  return {
    store,
    ledger,
    clock,
    taskStore: new TaskStore({ tasks: store.tasks, ledger, clock, newHoldId, logs }),
    // The audit reads no journal of a ledger that is open: it would wait a second for its lock, and go on without it.
    isBalanced: async () => (await auditBalances({ ...store, ...noJournal, logger: silentLogger })).balanced,
    async close() {
      await ledger.close()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** A node, and a user with 1000 who pays with a key worth 900. */
export async function openTaskWorld(options: NodeOptions = {}) {
  const node = await openTaskNode(options)
  const { store, ledger } = node
  const user = await store.users.create(newUser())
  const token = await store.tokens.create(newToken(user.id))
  const channel = await store.channels.create(newChannel())
  const money = { cause: 'initial', actorId: 0, note: '' } as const
  await ledger.credit({ ...money, kind: 'user', id: user.id, amount: 1000 })
  await ledger.credit({ ...money, kind: 'token', id: token.id, amount: 900 })
  return {
    ...node,
    userId: user.id,
    tokenId: token.id,
    channelId: channel.id,
    balances: async () => [
      await store.ledger.balanceOf('user', user.id),
      await store.ledger.balanceOf('token', token.id),
    ],
    rows: async () => (await store.usage.page({ userId: user.id }, 1, 50)).rows,
  }
}

export type TaskWorld = Awaited<ReturnType<typeof openTaskWorld>>

export function drawing(userId: number, change: Partial<NewTask> = {}): NewTask {
  const requested = { platform: 'mj', action: 'IMAGINE', model: 'mj_imagine', prompt: 'a cat' } as const
  return { ...requested, userId, group: 'default', properties: '{"state":"s"}', facts, ...change }
}

export function taken(channelId: number, change: Partial<DispatchedTask> = {}): DispatchedTask {
  return {
    channelId,
    keyHash: 'hash of k',
    upstreamModel: 'mj_imagine',
    reference: 'up-1',
    upstreamId: 'up-1',
    quota: 100,
    facts,
    report: { state: 'SUBMITTED' },
    ...change,
  }
}

/** A task that an upstream has, for 100 of the user's 1000. */
export async function submitted(
  {
    taskStore,
    userId,
    tokenId,
    channelId,
  }: Pick<TaskWorld, 'taskStore' | 'userId' | 'tokenId' | 'channelId'>,
  change: Partial<DispatchedTask> = {},
) {
  const opened = await taskStore.open(drawing(userId), {
    token: { id: tokenId, unlimited: false },
    amount: 100,
  })
  if (!opened.ok) throw new Error(opened.refusal)
  return await taskStore.dispatchTask(opened.task, taken(channelId, change))
}

/** Polls so many tasks at once, and gets for each what `/tasks` responds. */
export function pollingOf(batch: number): TaskPolling {
  return {
    batch,
    question: (tasks, { baseUrl }) => ({
      url: `${baseUrl}/tasks`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(tasks.map(({ reference }) => reference)),
    }),
    read: (body) => ({ reports: new Map(Object.entries(body as Record<string, TaskReport>)) }),
  }
}

export function midjourneyProvider(polling: TaskPolling): Provider {
  return {
    id: 'drawings',
    defaultBaseUrl: '',
    modes: [],
    credential: { kind: 'headers', headers: bearer },
    operation: () => undefined,
    tasks: { drawing: { polling, endpoint: (path, { baseUrl }) => ({ url: baseUrl + path, headers: {} }) } },
    decodeError: (failure) => decodeErrorBody(failure),
  }
}
