import type { Clock } from '@tollgate/base'
import type { TaskReport } from '@tollgate/providers'
import type { ChannelSnapshot, RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OpenAccount, OpenTaskRow, TaskRepository } from '../../store/task-repository.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import type { HeldLease } from './lease.ts'
import { askAccount, overdue, serviceOf, type TaskLimits } from './poll-account.ts'
import { pollPause } from './poll-pause.ts'
import type { TaskBook } from './task-book.ts'

export interface TaskPollerDependencies {
  readonly tasks: Pick<TaskRepository, 'openAccounts' | 'listOpen'>
  readonly book: Pick<TaskBook, 'report' | 'reportAll'>
  readonly channels: { readonly snapshot: ChannelSnapshot }
  /** Whether a channel was deleted, rather than only out of reach. */
  readonly isGone: (channelId: number) => Promise<boolean>
  readonly upstreams: Pick<Upstreams, 'ask'>
  readonly lease: HeldLease
  readonly hashKey: (key: string) => string
  /** The wall clock. */
  readonly clock: Clock
  readonly limits: TaskLimits
  /** The usual time in which every open task is asked about once. */
  readonly roundMs: number
  readonly logger: Pick<Logger, 'warn'>
}

/** Asks upstreams about open tasks, on the one node that has the lease. */
export interface TaskPoller {
  /** Begins what is due. Called every second or so; never waits for an upstream. */
  look(): Promise<void>
  /** Resolves when nothing is asked any more. */
  close(): Promise<void>
}

/** An account whose tasks are asked about, in turn. */
interface Turn {
  account: OpenAccount
  dueMs: number
  /** The most tasks that one question names; 1 until that is known. */
  batch: number
  /** The last task that was asked about. */
  cursor: number
  quiet: number
  failures: number
  running: boolean
  /** What was said of tasks last, as a hash: what is said again is not written again. */
  said: Map<number, number | bigint>
  /** The same of this round alone, so that tasks that have ended are forgotten. */
  saidAgain: Map<number, number | bigint>
}

/** How often the store is asked which accounts have open tasks. */
const accountsEveryMs = 2000
const maxRunning = 16

export function createTaskPoller(deps: TaskPollerDependencies): TaskPoller {
  return new Poller(deps)
}

class Poller implements TaskPoller {
  readonly #deps: TaskPollerDependencies
  readonly #turns = new Map<string, Turn>()
  readonly #running = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  #accountsDueMs = 0

  constructor(deps: TaskPollerDependencies) {
    this.#deps = deps
  }

  async look(): Promise<void> {
    if (!(await this.#deps.lease.holds())) {
      this.#turns.clear()
      return
    }
    const now = this.#deps.clock.now()
    if (now >= this.#accountsDueMs) {
      this.#accountsDueMs = now + accountsEveryMs
      this.#follow(await this.#deps.tasks.openAccounts(), now)
    }
    for (const turn of this.#turns.values()) {
      if (this.#running.size >= maxRunning) return
      if (!turn.running && turn.dueMs <= now) this.#begin(turn)
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
    await this.#deps.lease.give().catch(() => undefined)
  }

  #follow(accounts: readonly OpenAccount[], now: number): void {
    const open = new Set<string>()
    for (const account of accounts) {
      const key = `${account.channelId} ${account.platform} ${account.keyHash}`
      open.add(key)
      const turn = this.#turns.get(key)
      if (turn === undefined) this.#turns.set(key, newTurn(account, now + this.#deps.roundMs / 5))
      else followAccount(turn, account, now + this.#deps.roundMs / 5)
    }
    for (const [key, turn] of this.#turns) if (!open.has(key) && !turn.running) this.#turns.delete(key)
  }

  #begin(turn: Turn): void {
    turn.running = true
    const run = this.#serve(turn).finally(() => {
      turn.running = false
      this.#running.delete(run)
    })
    this.#running.add(run)
  }

  /** Never rejects. */
  async #serve(turn: Turn): Promise<void> {
    const { clock, roundMs, logger } = this.#deps
    try {
      await this.#ask(turn)
      turn.failures = 0
    } catch (error) {
      if (this.#stop.signal.aborted) return
      turn.failures += 1
      const { channelId, platform } = turn.account
      if (turn.failures === 1) logger.warn({ err: error, channelId, platform }, 'tasks cannot be asked about')
    }
    const { account, batch, quiet, failures } = turn
    const now = clock.now()
    const state = { count: account.count, batch, youngestMs: now - account.latestMs, quiet, failures }
    turn.dueMs = now + pollPause(state, roundMs)
  }

  async #ask(turn: Turn): Promise<void> {
    const { account } = turn
    const rows = await this.#nextRows(turn)
    const left = await this.#withoutOverdue(rows)
    const channel = this.#deps.channels.snapshot.channel(account.channelId)
    if (channel !== undefined) await this.#askChannel(turn, channel, left)
    else if (account.channelId !== 0 && (await this.#deps.isGone(account.channelId)))
      await this.#fail(left, 'The channel that worked on the task was deleted.')
    turn.cursor = rows.at(-1)?.id ?? 0
  }

  /** Those behind the last ones; behind the end the first ones again. */
  async #nextRows(turn: Turn): Promise<readonly OpenTaskRow[]> {
    const { tasks } = this.#deps
    const limit = Math.min(turn.batch, maxRows)
    const rows = await tasks.listOpen(turn.account, { afterId: turn.cursor, limit })
    if (rows.length > 0 || turn.cursor === 0) return rows
    turn.said = turn.saidAgain
    turn.saidAgain = new Map()
    return await tasks.listOpen(turn.account, { afterId: 0, limit })
  }

  /** Fails those whose time is over, and passes those by that are being handed over. */
  async #withoutOverdue(rows: readonly OpenTaskRow[]): Promise<readonly OpenTaskRow[]> {
    const { limits, clock } = this.#deps
    const left: OpenTaskRow[] = []
    for (const row of rows) {
      const failReason = overdue(row, limits, clock)
      if (failReason !== undefined) await this.#fail([row], failReason)
      else if (row.reference !== '') left.push(row)
    }
    return left
  }

  async #fail(rows: readonly OpenTaskRow[], failReason: string): Promise<void> {
    for (const { id } of rows) await this.#deps.book.report(id, { state: 'FAILURE', failReason })
  }

  async #askChannel(turn: Turn, channel: RoutedChannel, rows: readonly OpenTaskRow[]): Promise<void> {
    const { hashKey, book } = this.#deps
    const [first] = rows
    const service = first && serviceOf(channel, turn.account.platform, first.upstreamModel)
    if (service === undefined) return
    turn.batch = service.polling.batch
    // A key that was replaced most likely belongs to the same account.
    const keyIndex = channel.keys.findIndex((key) => hashKey(key) === turn.account.keyHash)
    const asked = { channel, keyIndex: Math.max(0, keyIndex), service, rows: rows.slice(0, turn.batch) }
    const reports = await askAccount(asked, this.#deps, this.#stop.signal)
    const said = byTask(asked.rows, reports)
    const news = new Map([...said].filter(([id, { hash }]) => turn.said.get(id) !== hash).map(reportOf))
    const changes = news.size === 0 ? 0 : await book.reportAll(news)
    for (const [id, { hash }] of said) {
      turn.said.set(id, hash)
      turn.saidAgain.set(id, hash)
    }
    turn.quiet = changes === 0 ? turn.quiet + 1 : 0
  }
}

/** Rows that are read for one question. */
const maxRows = 10_000

function newTurn(account: OpenAccount, dueMs: number): Turn {
  return {
    account,
    dueMs,
    batch: 1,
    cursor: 0,
    quiet: 0,
    failures: 0,
    running: false,
    said: new Map(),
    saidAgain: new Map(),
  }
}

/** Somebody has submitted another task, and would like to hear of it soon. */
function followAccount(turn: Turn, account: OpenAccount, soonMs: number): void {
  const isNewer = account.latestMs > turn.account.latestMs
  turn.account = account
  if (isNewer && turn.failures === 0) {
    turn.quiet = 0
    turn.dueMs = Math.min(turn.dueMs, soonMs)
  }
}

interface Said {
  readonly report: TaskReport
  readonly hash: number | bigint
}

/** What was said of tasks, by their ids. */
function byTask(
  rows: readonly OpenTaskRow[],
  reports: ReadonlyMap<string, TaskReport>,
): ReadonlyMap<number, Said> {
  const said = new Map<number, Said>()
  for (const { id, reference } of rows) {
    const report = reports.get(reference)
    if (report !== undefined) said.set(id, { report, hash: Bun.hash(JSON.stringify(report)) })
  }
  return said
}

function reportOf([id, { report }]: [number, Said]): [number, TaskReport] {
  return [id, report]
}
