import { type Clock, unixSeconds } from '@tollgate/base'
import type { TaskReport } from '@tollgate/providers'
import type { HoldRequest, HoldResult, Ledger } from '../../billing/ledger-types.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import type { Task, TaskChange, TaskRepository } from '../../store/work/tasks.ts'
import { changeOf, chargeOf, failureOf, isEnd, type LogFacts } from './task-row.ts'

export interface TaskStoreDependencies {
  readonly tasks: Pick<TaskRepository, 'create' | 'find' | 'findOpen' | 'update' | 'updateMany' | 'discard'>
  readonly ledger: Pick<Ledger, 'hold' | 'settleHold' | 'releaseHold'>
  readonly clock: Clock
  readonly newHoldId: () => string
  /** Switches for log rows: of charged tasks, and of failed ones. */
  readonly logs: { readonly consumption: () => boolean; readonly failures: () => boolean }
}

/** A task before any upstream has accepted it. */
export type NewTask = Pick<
  Task,
  'platform' | 'action' | 'userId' | 'group' | 'model' | 'prompt' | 'properties'
> & { readonly facts: LogFacts }

/** The hold of a task until the task ends. */
export type TaskHold = Pick<HoldRequest, 'token' | 'amount'>

/** Changes to a task when an upstream accepts it. */
export interface DispatchedTask
  extends Pick<Task, 'channelId' | 'keyHash' | 'upstreamModel' | 'reference' | 'upstreamId'> {
  /** Its charge when it succeeds. */
  readonly quota: Quota
  readonly facts: LogFacts
  readonly report: TaskReport
}

export type OpenResult =
  | { readonly ok: true; readonly task: Task }
  | Extract<HoldResult, { readonly ok: false }>

export interface Reported {
  /** Number of tasks that were still open. */
  readonly changed: number
  /** Errors by the id of the end that could not be written. */
  readonly failed: ReadonlyMap<number, unknown>
}

/** Gets every change of a task that its upstream reports. */
export type TaskListener = (task: Task) => void

/**
 * The state machine of tasks in the store: opened with a hold, dispatched to an upstream, reported on, ended once. The end of
 * a task and the end of its hold are one transaction, so that no crash and no second node charges or refunds twice.
 */
export class TaskStore {
  readonly #deps: TaskStoreDependencies
  readonly #listeners: TaskListener[] = []

  constructor(deps: TaskStoreDependencies) {
    this.#deps = deps
  }

  /**
   * Writes the task, then holds the most that it may cost; discards the task when the hold is refused. When `open` rejects, a
   * task that was written fails once its time to be dispatched has passed.
   */
  async open({ facts, ...task }: NewTask, { token, amount }: TaskHold): Promise<OpenResult> {
    const { tasks, ledger, clock, newHoldId } = this.#deps
    const holdId = newHoldId()
    const now = clock.now()
    // The row goes first: after a crash in between, the row shows that its hold was never taken.
    const opened = await tasks.create({
      ...blank,
      ...task,
      tokenId: token?.id ?? 0,
      holdId,
      charge: JSON.stringify(facts),
      submittedMs: now,
      updatedMs: now,
    })
    // When the call rejects, the hold may exist: the row stays, so that the hold can be found and released.
    const held = await ledger.hold({ id: holdId, userId: task.userId, token, model: task.model, amount })
    if (held.ok) return { ok: true, task: opened }
    await tasks.discard(opened.id)
    return held
  }

  /** Releases the hold of a task that no upstream has accepted, and deletes the task. */
  async discard({ id, holdId }: Task): Promise<void> {
    const { tasks, ledger } = this.#deps
    const forget = (tx: Pick<Store, 'tasks'>) => tx.tasks.discard(id)
    if (!(await ledger.releaseHold(holdId, undefined, forget))) await tasks.discard(id)
  }

  /** Records that an upstream accepted the task, or refused it with a report that ends it. */
  async dispatchTask(task: Task, { facts, report, ...taken }: DispatchedTask): Promise<Task> {
    const charge = JSON.stringify(facts)
    const change = changeOf({ ...task, ...taken, charge }, report, this.#deps.clock.now())
    return await this.#write(task, { ...taken, charge, ...change })
  }

  /**
   * Writes the report of a poll or a callback. Does nothing to a task that has ended.
   * @returns the changed task; `undefined` when nothing has changed
   */
  async report(id: number, report: TaskReport): Promise<Task | undefined> {
    const task = await this.#deps.tasks.find(id)
    if (task === undefined || task.finishedMs !== 0) return undefined
    const changed = await this.#write(task, changeOf(task, report, this.#deps.clock.now()))
    this.#tell(changed)
    return changed
  }

  /** Writes reports by task id. An end that cannot be written does not block the others. */
  async reportAll(reports: ReadonlyMap<number, TaskReport>): Promise<Reported> {
    const tasks = await this.#deps.tasks.findOpen([...reports.keys()])
    const now = this.#deps.clock.now()
    const going: Task[] = []
    const failed = new Map<number, unknown>()
    for (const task of tasks.values()) {
      const report = reports.get(task.id)
      if (report === undefined) continue
      if (isEnd(report.state)) await this.report(task.id, report).catch((error) => failed.set(task.id, error))
      else going.push({ ...task, ...changeOf(task, report, now) })
    }
    await this.#deps.tasks.updateMany(going)
    for (const task of going) this.#tell(task)
    return { changed: tasks.size - failed.size, failed }
  }

  subscribe(listener: TaskListener): void {
    this.#listeners.push(listener)
  }

  #tell(task: Task): void {
    for (const listener of this.#listeners) listener(task)
  }

  async #write(task: Task, change: TaskChange): Promise<Task> {
    const changed = { ...task, ...change }
    if (!isEnd(changed.status)) await this.#deps.tasks.update(task.id, change)
    else if (changed.status === 'SUCCESS') await this.#succeed(changed, change)
    else await this.#fail(changed, { ...change, quota: 0 })
    return changed.status === 'FAILURE' ? { ...changed, quota: 0 } : changed
  }

  async #succeed(task: Task, change: TaskChange): Promise<void> {
    const { ledger, clock, logs } = this.#deps
    const charge = chargeOf(task, { at: unixSeconds(clock), logged: logs.consumption() })
    const ended = await ledger.settleHold(task.holdId, charge, writing(task.id, change))
    if (!ended) await this.#deps.tasks.update(task.id, change)
  }

  async #fail(task: Task, change: TaskChange): Promise<void> {
    const { ledger, clock, logs } = this.#deps
    const failure = failureOf(task, { at: unixSeconds(clock), logged: logs.failures() })
    const ended = await ledger.releaseHold(task.holdId, failure, writing(task.id, change))
    if (!ended) await this.#deps.tasks.update(task.id, change)
  }
}

function writing(id: number, change: TaskChange): (tx: Pick<Store, 'tasks'>) => Promise<void> {
  return async (tx) => {
    await tx.tasks.update(id, change)
  }
}

const blank = {
  upstreamId: '',
  reference: '',
  upstreamModel: '',
  keyHash: '',
  channelId: 0,
  quota: 0,
  status: '',
  progress: 0,
  startedMs: 0,
  finishedMs: 0,
  failReason: '',
  result: '',
} as const
