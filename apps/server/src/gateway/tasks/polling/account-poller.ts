import type { Clock } from '@tollgate/base'
import type { TaskReport } from '@tollgate/providers'
import type { ChannelSnapshot, RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { OpenAccount, TaskRepository } from '../../../store/work/tasks.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import { accountKey, isEnd } from '../task-row.ts'
import type { TaskStore } from '../task-store.ts'
import { type PollFailure, pollAccount } from './poll-account.ts'
import { AccountBackoff, backOff, minPauseMs, pollPause } from './poll-pause.ts'
import {
  isGone,
  type PolledTask,
  PolledTasks,
  polledTask,
  type Question,
  questionOf,
  type TaskQueue,
} from './polled-tasks.ts'
import type { TaskDeadlines } from './task-deadlines.ts'
import { failure, hashOf, openRows, TaskReporter } from './task-reporter.ts'

export interface AccountPollerDependencies {
  readonly tasks: Pick<TaskRepository, 'listOpen'>
  readonly taskStore: Pick<TaskStore, 'reportAll'>
  readonly channels: { readonly snapshot: ChannelSnapshot }
  /** Distinguishes a deleted channel from one that is only unreachable. */
  readonly isGone: (channelId: number) => Promise<boolean>
  readonly upstreams: Pick<Upstreams, 'ask'>
  readonly hashKey: (key: string) => string
  readonly deadlines: TaskDeadlines
  /** The wall clock. */
  readonly clock: Clock
  /** Clock for pauses, which a change of the wall clock must not stretch. */
  readonly monotonic: Clock
  /** The usual time in which every open task is polled once. */
  readonly roundMs: number
  readonly logger: Pick<Logger, 'warn'>
}

/** Interval at which accounts are checked: polls that are due closer together run in one pass. */
export const pollTickMs = 500
/** Polls in one go while a failing batch is split. */
const maxSplits = 16
/** Consecutive failures before a task counts as lost: a single one may be the network while this process starts. */
const failuresOfLost = 3

/**
 * Polls the open tasks of one account at an upstream. A failure slows only the task that it belongs to, which is then polled
 * less often, apart from the others. Only a failure that every poll would meet (a refused key, a limit, no connection) makes
 * the whole account wait. Time alone ends no task: its upstream has responded since its deadline, or was unreachable for
 * much longer.
 */
export class AccountPoller {
  readonly #deps: AccountPollerDependencies
  readonly #tasks: PolledTasks
  readonly #reporter: TaskReporter
  #account: OpenAccount
  readonly #wait: AccountBackoff
  #readDueMs = 0
  /** Wall time of the last poll with a response. */
  #respondedMs = 0

  constructor(account: OpenAccount, deps: AccountPollerDependencies) {
    this.#account = account
    this.#deps = deps
    this.#tasks = new PolledTasks(this.#soonMs())
    this.#wait = new AccountBackoff(deps)
    this.#reporter = new TaskReporter(this.#tasks, deps)
  }

  /** Takes over the account's latest state; polls soon when it has a new task. */
  follow(account: OpenAccount): void {
    const isNewer = account.latestMs > this.#account.latestMs
    this.#account = account
    if (!isNewer) return
    const { healthy } = this.#tasks
    this.#reporter.unchangedPolls = 0
    this.#readDueMs = Math.min(this.#readDueMs, this.#soonMs())
    healthy.dueMs = Math.min(healthy.dueMs, this.#soonMs())
  }

  isDue(): boolean {
    const nowMs = this.#deps.monotonic.now()
    const { healthy, failing } = this.#tasks
    if (!this.#wait.isOver()) return false
    return healthy.dueMs <= nowMs || (failing.tasks.size > 0 && failing.dueMs <= nowMs)
  }

  /** Runs the polls that are due. Never rejects. */
  async serve(signal: AbortSignal): Promise<void> {
    const { roundMs, logger } = this.#deps
    try {
      await this.#read()
      await this.#serveChannel(signal)
    } catch (err) {
      if (signal.aborted) return
      logger.warn(
        { err, channelId: this.#account.channelId },
        'the state of tasks cannot be read or written, and is tried again at the next poll: check the database',
      )
      this.#wait.pause(roundMs)
    }
  }

  #soonMs(): number {
    return this.#deps.monotonic.now() + this.#deps.roundMs / 5
  }

  /** Reads the open tasks from the store; once a round, or when there are more. */
  async #read(): Promise<void> {
    const { tasks, monotonic, roundMs, deadlines } = this.#deps
    if (monotonic.now() < this.#readDueMs) return
    this.#readDueMs = monotonic.now() + roundMs
    const rows = await openRows(this.#account, tasks)
    this.#tasks.replace(rows.filter(({ reference }) => reference !== ''))
    const neverTaken = rows.filter((row) => deadlines.wasNeverTaken(row)).map(polledTask)
    await this.#reporter.fail(neverTaken, 'The task was never taken by an upstream.')
  }

  async #serveChannel(signal: AbortSignal): Promise<void> {
    const { channels, isGone, clock, roundMs } = this.#deps
    const { channelId } = this.#account
    const channel = channels.snapshot.channel(channelId)
    if (channel !== undefined)
      for (const queue of this.#tasks.queues) await this.#serveQueue(queue, channel, signal)
    else if (channelId === 0) this.#wait.pause(roundMs)
    else if (await isGone(channelId))
      await this.#reporter.fail(this.#tasks.all(), 'The channel that worked on the task was deleted.')
    else await this.#failed(this.#tasks.healthy, [], outOfReach, clock.now())
  }

  async #serveQueue(queue: TaskQueue, channel: RoutedChannel, signal: AbortSignal): Promise<void> {
    const { monotonic } = this.#deps
    const { platform } = this.#account
    if (queue.dueMs > monotonic.now()) return
    let pauseMs = 0
    for (let polled = 1, limit = 1; polled <= limit && this.#wait.isOver(); polled += 1) {
      const question = questionOf(queue, { channel, platform }, monotonic.now())
      if (question === undefined) break
      await this.#ask(queue, channel, question, signal)
      const batch = queue.batch(question.batch)
      const isSplit = batch < question.batch
      const round = Math.ceil(queue.tasks.size / batch)
      pauseMs = this.#pauseOf(queue, batch)
      limit = isSplit ? maxSplits : Math.min(round, Math.floor(pollTickMs / pauseMs))
      if (isSplit) pauseMs = Math.max(pauseMs, polled * minPauseMs)
    }
    const firstDueMs = queue.tasks.size === 0 ? this.#soonMs() : queue.firstDueMs()
    queue.dueMs = Math.max(monotonic.now() + pauseMs, firstDueMs)
  }

  #pauseOf(queue: TaskQueue, batch: number): number {
    const { clock, roundMs } = this.#deps
    const isHealthy = queue === this.#tasks.healthy
    const youngestMs = isHealthy ? clock.now() - this.#account.latestMs : Number.POSITIVE_INFINITY
    const unchangedPolls = isHealthy ? this.#reporter.unchangedPolls : 0
    return pollPause({ count: queue.tasks.size, batch, youngestMs, unchangedPolls }, roundMs)
  }

  async #ask(
    queue: TaskQueue,
    channel: RoutedChannel,
    { tasks, service }: Question,
    signal: AbortSignal,
  ): Promise<void> {
    const polledAtMs = this.#deps.clock.now()
    if (service === undefined) return this.#failed(queue, tasks, noService, polledAtMs)
    const keyIndex = accountKey(channel, this.#account.keyHash, this.#deps.hashKey)
    const rows = tasks.map(({ row }) => row)
    const outcome = await pollAccount({ channel, keyIndex, service, rows }, this.#deps, signal)
    if (outcome.kind === 'failed') return this.#failed(queue, tasks, outcome, polledAtMs)
    this.#wait.responded()
    this.#respondedMs = polledAtMs
    queue.grow()
    const updates = tasks.flatMap((task) => {
      const report = outcome.reports.get(task.row.reference)
      this.#tasks.responded(task, report !== undefined)
      return this.#updateOf(task, report, { polledAtMs, isGone: isGone(task, service.polling) }) ?? []
    })
    await this.#reporter.report(new Map(updates))
  }

  #updateOf(
    task: PolledTask,
    report: TaskReport | undefined,
    { polledAtMs, isGone }: { readonly polledAtMs: number; readonly isGone: boolean },
  ): [[PolledTask, TaskReport]] | undefined {
    const { deadlines } = this.#deps
    if (report !== undefined && isEnd(report.state)) return [[task, report]]
    if (isGone) return [[task, failure('The upstream does not know the task, or no longer.')]]
    if (deadlines.isOverdue(task.row, polledAtMs)) return [[task, failure(deadlines.overdueReason())]]
    return report === undefined || task.lastReportHash === hashOf(report) ? undefined : [[task, report]]
  }

  async #failed(
    queue: TaskQueue,
    tasks: readonly PolledTask[],
    failed: PollFailure,
    polledAtMs: number,
  ): Promise<void> {
    const [task] = tasks
    if (failed.ofAccount) for (const polled of tasks) queue.add(polled)
    else if (tasks.length > 1) queue.split(tasks.length)
    else if (task !== undefined) await this.#quarantine(task, failed, polledAtMs)
    if (this.#wait.failed(failed)) await this.#giveUpLost(failed)
  }

  async #quarantine(
    task: PolledTask,
    { isResponse, reason }: PollFailure,
    polledAtMs: number,
  ): Promise<void> {
    const { monotonic, clock, deadlines, roundMs, logger } = this.#deps
    const { channelId, platform } = this.#account
    const { failing } = this.#tasks
    if (failing.tasks.size === 0)
      logger.warn(
        { channelId, platform, taskId: task.row.id, reason },
        'this task cannot be polled, because its channel is gone or changed: it ends at its deadline and is refunded',
      )
    this.#tasks.quarantine(task)
    const deadlineMs = deadlines.deadlineMs(task.row)
    const pauseMs = backOff(task.failures, roundMs)
    const leftMs = deadlineMs + 1 - clock.now()
    task.dueMs = monotonic.now() + (leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs)
    failing.dueMs = Math.min(failing.dueMs, task.dueMs)
    // An upstream that responded about other tasks is reachable: it will say no more about this one.
    if (deadlines.isOverdue(task.row, polledAtMs) && (isResponse || this.#respondedMs > deadlineMs))
      await this.#reporter.fail([task], deadlines.overdueReason(reason))
    else if (task.failures >= failuresOfLost && deadlines.isLost(task.row))
      await this.#reporter.fail([task], deadlines.lostReason(reason))
  }

  /** Ends the lost tasks of an account that cannot be polled. */
  async #giveUpLost({ reason, cause }: PollFailure): Promise<void> {
    const { deadlines, logger } = this.#deps
    const { channelId, platform } = this.#account
    const { failures } = this.#wait
    if (failures === 1)
      logger.warn(
        { err: cause, channelId, platform, reason },
        'the upstream refuses or fails polls of these tasks, and is asked again at the next poll: check the channel',
      )
    if (failures < failuresOfLost) return
    const lost = this.#tasks.all().filter(({ row }) => deadlines.isLost(row))
    await this.#reporter.fail(lost, deadlines.lostReason(reason))
  }
}

const noService: PollFailure = {
  ofAccount: false,
  isTimeout: false,
  isResponse: true,
  reason: 'nothing: the channel makes no such things any more',
}

const outOfReach: PollFailure = {
  ofAccount: true,
  isTimeout: false,
  isResponse: false,
  reason: 'the channel is out of reach',
}
