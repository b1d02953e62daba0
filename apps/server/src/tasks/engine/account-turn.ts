import type { Clock } from '@tollgate/base'
import type { TaskReport } from '@tollgate/providers'
import type { ChannelSnapshot, RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OpenAccount, TaskRepository } from '../../store/task-repository.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { accountKey } from './account-key.ts'
import { AccountWait } from './account-wait.ts'
import { type AskFailure, askAccount } from './ask-account.ts'
import { FollowedTasks } from './followed-tasks.ts'
import { type Question, questionOf } from './lane-question.ts'
import { openRows } from './open-rows.ts'
import { backOff, pollPause, shortestPauseMs } from './poll-pause.ts'
import type { TaskBook } from './task-book.ts'
import { isEnd } from './task-change.ts'
import type { TaskDeadlines } from './task-deadlines.ts'
import { type FollowedTask, followedTask, isGone, type TaskLane } from './task-lane.ts'
import { failure, hashOf, TaskReporter } from './task-reporter.ts'

export interface AccountTurnDependencies {
  readonly tasks: Pick<TaskRepository, 'listOpen'>
  readonly book: Pick<TaskBook, 'reportAll'>
  readonly channels: { readonly snapshot: ChannelSnapshot }
  /** Whether a channel was deleted, rather than only out of reach. */
  readonly isGone: (channelId: number) => Promise<boolean>
  readonly upstreams: Pick<Upstreams, 'ask'>
  readonly hashKey: (key: string) => string
  readonly deadlines: TaskDeadlines
  /** The wall clock. */
  readonly clock: Clock
  /** For pauses, which a change of the wall clock must not stretch. */
  readonly monotonic: Clock
  /** The usual time in which every open task is asked about once. */
  readonly roundMs: number
  readonly logger: Pick<Logger, 'warn'>
}

/** How often accounts are looked at: questions that are due closer together are asked in one go. */
export const lookEveryMs = 500
/** Questions in one go while a batch that fails is split. */
const mostSplits = 16
/** Failures in a row before a task is lost without an answer: one may be of the network while this process starts. */
const failuresOfLost = 3

/**
 * Asks about the open tasks of one account at an upstream. What goes wrong is kept with the task that it goes wrong for: that
 * one is asked about less often, beside the others. Only what any question would meet (a refused key, a limit, no
 * connection) makes the whole account wait. Time alone ends no task: its upstream has answered since its deadline, or was out
 * of reach for much longer.
 */
export class AccountTurn {
  readonly #deps: AccountTurnDependencies
  readonly #tasks: FollowedTasks
  readonly #reporter: TaskReporter
  #account: OpenAccount
  readonly #wait: AccountWait
  #readDueMs = 0
  /** Wall time of the last question that was answered. */
  #answeredMs = 0

  constructor(account: OpenAccount, deps: AccountTurnDependencies) {
    this.#account = account
    this.#deps = deps
    this.#tasks = new FollowedTasks(this.#soonMs())
    this.#wait = new AccountWait(deps)
    this.#reporter = new TaskReporter(this.#tasks, deps)
  }

  /** Somebody who has submitted another task would like to hear of it soon. */
  follow(account: OpenAccount): void {
    const isNewer = account.latestMs > this.#account.latestMs
    this.#account = account
    if (!isNewer) return
    const { healthy } = this.#tasks
    this.#reporter.quiet = 0
    this.#readDueMs = Math.min(this.#readDueMs, this.#soonMs())
    healthy.dueMs = Math.min(healthy.dueMs, this.#soonMs())
  }

  isDue(): boolean {
    const nowMs = this.#deps.monotonic.now()
    const { healthy, odd } = this.#tasks
    if (!this.#wait.isOver()) return false
    return healthy.dueMs <= nowMs || (odd.tasks.size > 0 && odd.dueMs <= nowMs)
  }

  /** Asks what is due. Never rejects. */
  async serve(signal: AbortSignal): Promise<void> {
    const { roundMs, logger } = this.#deps
    try {
      await this.#read()
      await this.#serveChannel(signal)
    } catch (err) {
      if (signal.aborted) return
      logger.warn(
        { err, channelId: this.#account.channelId },
        'what became of tasks cannot be read or written',
      )
      this.#wait.pause(roundMs)
    }
  }

  #soonMs(): number {
    return this.#deps.monotonic.now() + this.#deps.roundMs / 5
  }

  /** Takes over what the store has now; once a round, or when there is more. */
  async #read(): Promise<void> {
    const { tasks, monotonic, roundMs, deadlines } = this.#deps
    if (monotonic.now() < this.#readDueMs) return
    this.#readDueMs = monotonic.now() + roundMs
    const rows = await openRows(this.#account, tasks)
    this.#tasks.replace(rows.filter(({ reference }) => reference !== ''))
    const neverTaken = rows.filter((row) => deadlines.wasNeverTaken(row)).map(followedTask)
    await this.#reporter.fail(neverTaken, 'The task was never taken by an upstream.')
  }

  async #serveChannel(signal: AbortSignal): Promise<void> {
    const { channels, isGone, clock, roundMs } = this.#deps
    const { channelId } = this.#account
    const channel = channels.snapshot.channel(channelId)
    if (channel !== undefined)
      for (const lane of this.#tasks.lanes) await this.#serveLane(lane, channel, signal)
    else if (channelId === 0) this.#wait.pause(roundMs)
    else if (await isGone(channelId))
      await this.#reporter.fail(this.#tasks.all(), 'The channel that worked on the task was deleted.')
    else await this.#failed(this.#tasks.healthy, [], outOfReach, clock.now())
  }

  async #serveLane(lane: TaskLane, channel: RoutedChannel, signal: AbortSignal): Promise<void> {
    const { monotonic } = this.#deps
    const { platform } = this.#account
    if (lane.dueMs > monotonic.now()) return
    let pauseMs = 0
    for (let asked = 1, most = 1; asked <= most && this.#wait.isOver(); asked += 1) {
      const question = questionOf(lane, { channel, platform }, monotonic.now())
      if (question === undefined) break
      await this.#ask(lane, channel, question, signal)
      const batch = lane.batch(question.batch)
      const isSplit = batch < question.batch
      const round = Math.ceil(lane.tasks.size / batch)
      pauseMs = this.#pauseOf(lane, batch)
      most = isSplit ? mostSplits : Math.min(round, Math.floor(lookEveryMs / pauseMs))
      if (isSplit) pauseMs = Math.max(pauseMs, asked * shortestPauseMs)
    }
    const firstDueMs = lane.tasks.size === 0 ? this.#soonMs() : lane.firstDueMs()
    lane.dueMs = Math.max(monotonic.now() + pauseMs, firstDueMs)
  }

  #pauseOf(lane: TaskLane, batch: number): number {
    const { clock, roundMs } = this.#deps
    const isHealthy = lane === this.#tasks.healthy
    const youngestMs = isHealthy ? clock.now() - this.#account.latestMs : Number.POSITIVE_INFINITY
    const quiet = isHealthy ? this.#reporter.quiet : 0
    return pollPause({ count: lane.tasks.size, batch, youngestMs, quiet }, roundMs)
  }

  async #ask(
    lane: TaskLane,
    channel: RoutedChannel,
    { tasks, service }: Question,
    signal: AbortSignal,
  ): Promise<void> {
    const askedMs = this.#deps.clock.now()
    if (service === undefined) return this.#failed(lane, tasks, noService, askedMs)
    const keyIndex = accountKey(channel, this.#account.keyHash, this.#deps.hashKey)
    const rows = tasks.map(({ row }) => row)
    const outcome = await askAccount({ channel, keyIndex, service, rows }, this.#deps, signal)
    if (outcome.kind === 'failed') return this.#failed(lane, tasks, outcome, askedMs)
    this.#wait.answered()
    this.#answeredMs = askedMs
    lane.grow()
    const news = tasks.flatMap((task) => {
      const report = outcome.reports.get(task.row.reference)
      this.#tasks.answered(task, report !== undefined)
      return this.#newsOf(task, report, { askedMs, isGone: isGone(task, service.polling) }) ?? []
    })
    await this.#reporter.report(new Map(news))
  }

  #newsOf(
    task: FollowedTask,
    report: TaskReport | undefined,
    { askedMs, isGone }: { readonly askedMs: number; readonly isGone: boolean },
  ): [[FollowedTask, TaskReport]] | undefined {
    const { deadlines } = this.#deps
    if (report !== undefined && isEnd(report.state)) return [[task, report]]
    if (isGone) return [[task, failure('The upstream does not know the task, or no longer.')]]
    if (deadlines.isOverdue(task.row, askedMs)) return [[task, failure(deadlines.overdueReason())]]
    return report === undefined || task.said === hashOf(report) ? undefined : [[task, report]]
  }

  async #failed(
    lane: TaskLane,
    tasks: readonly FollowedTask[],
    failed: AskFailure,
    askedMs: number,
  ): Promise<void> {
    const [task] = tasks
    if (failed.ofAccount) for (const asked of tasks) lane.add(asked)
    else if (tasks.length > 1) lane.split(tasks.length)
    else if (task !== undefined) await this.#putAside(task, failed, askedMs)
    if (this.#wait.failed(failed)) await this.#giveUpLost(failed)
  }

  async #putAside(task: FollowedTask, { isAnswer, reason }: AskFailure, askedMs: number): Promise<void> {
    const { monotonic, clock, deadlines, roundMs, logger } = this.#deps
    const { channelId, platform } = this.#account
    const { odd } = this.#tasks
    if (odd.tasks.size === 0)
      logger.warn({ channelId, platform, taskId: task.row.id, reason }, 'a task cannot be asked about')
    this.#tasks.putAside(task)
    const deadlineMs = deadlines.deadlineMs(task.row)
    const pauseMs = backOff(task.failures, roundMs)
    const leftMs = deadlineMs + 1 - clock.now()
    task.dueMs = monotonic.now() + (leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs)
    odd.dueMs = Math.min(odd.dueMs, task.dueMs)
    // An upstream that has answered for others is there: more than this it will not say.
    if (deadlines.isOverdue(task.row, askedMs) && (isAnswer || this.#answeredMs > deadlineMs))
      await this.#reporter.fail([task], deadlines.overdueReason(reason))
    else if (task.failures >= failuresOfLost && deadlines.isLost(task.row))
      await this.#reporter.fail([task], deadlines.lostReason(reason))
  }

  /** Of an account that cannot be asked. */
  async #giveUpLost({ reason, cause }: AskFailure): Promise<void> {
    const { deadlines, logger } = this.#deps
    const { channelId, platform } = this.#account
    const { failures } = this.#wait
    if (failures === 1)
      logger.warn({ err: cause, channelId, platform, reason }, 'tasks cannot be asked about')
    if (failures < failuresOfLost) return
    const lost = this.#tasks.all().filter(({ row }) => deadlines.isLost(row))
    await this.#reporter.fail(lost, deadlines.lostReason(reason))
  }
}

const noService: AskFailure = {
  ofAccount: false,
  isTimeout: false,
  isAnswer: true,
  reason: 'nothing: the channel makes no such things any more',
}

const outOfReach: AskFailure = {
  ofAccount: true,
  isTimeout: false,
  isAnswer: false,
  reason: 'the channel is out of reach',
}
