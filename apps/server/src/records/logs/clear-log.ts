import { type LogClearing, logClearing } from '@tollgate/api'
import { type Clock, secondsOf, unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import type { FleetMessages } from '../../fleet/messages.ts'
import { whileHolding } from '../../fleet/while-holding.ts'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { LeaseRepository } from '../../store/fleet/leases.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import type { Actor, AuditLog } from '../audit-log/audit-log.ts'

interface Dependencies {
  readonly usage: Pick<UsageRepository, 'clearBefore'>
  readonly auditLog: AuditLog
  readonly clock: Clock
  readonly node: string
  readonly leases: Pick<LeaseRepository, 'take' | 'give'>
  readonly messages: FleetMessages
  readonly logger: Pick<Logger, 'warn'>
}

const none: LogClearing = {
  running: false,
  target_timestamp: 0,
  deleted: 0,
  started_at: 0,
  ended_at: 0,
  cancelled: false,
  failed: false,
}

const progressMessage = z.object({ type: z.literal('log-clearing'), progress: logClearing })
const cancelMessage = z.object({ type: z.literal('cancel-log-clearing') })
const clearingMessage = z.union([progressMessage, cancelMessage])

/** Time between two messages about one clearing, and the silence after which its node is gone. */
const progressMs = 500
const goneMs = 6000
/** Time in which another node has to say that it ended. */
const cancelMs = 3000

/** Deletes old rows of the usage log, one clearing at a time over all nodes, which people see and cancel on every node. */
export class LogClearer {
  readonly #deps: Dependencies
  #own = none
  /** Last report of another node on its clearing, with its time by the monotonic clock. */
  #heard: { readonly progress: LogClearing; readonly at: number } | undefined
  /** Controller of this process's clearing; the lease keeps other nodes from beginning another. */
  #running: AbortController | undefined

  constructor(deps: Dependencies) {
    this.#deps = deps
    deps.messages.subscribe((message) => this.#received(message))
  }

  /**
   * Resolves with the number of deleted rows when none are left, or when it was cancelled. Continues after its caller has
   * disconnected.
   */
  async clear(actor: Actor, before: number | undefined): Promise<number> {
    const now = unixSeconds(this.#deps.clock)
    if (!before) throw new Refusal('log_clear_time_required')
    if (before < 0 || before > now) throw new Refusal('log_clear_time_invalid')
    if (this.#running !== undefined) throw this.#busy()
    const running = new AbortController()
    this.#running = running
    try {
      const held = await whileHolding({ ...this.#deps, name: 'log-clearing' }, () =>
        this.#recorded(actor, before, running.signal),
      )
      if (held === undefined) throw this.#busy()
      return held.result
    } finally {
      this.#running = undefined
    }
  }

  progress(): LogClearing {
    if (this.#own.running || this.#heard === undefined) return this.#own
    const { progress, at } = this.#heard
    const isGone = progress.running && performance.now() - at > goneMs
    return isGone ? { ...progress, running: false, failed: true } : progress
  }

  async cancel(actor: Actor): Promise<LogClearing> {
    const { running, target_timestamp } = this.progress()
    if (!running) throw new Refusal('log_clear_not_running')
    this.#abort()
    await this.#record(actor, { target_timestamp, cancelled: true })
    return this.#own.running ? this.#own : await this.#cancelElsewhere()
  }

  /** Asks the node that clears to end, and waits until it says so. */
  async #cancelElsewhere(): Promise<LogClearing> {
    await this.#deps.messages.send({ type: 'cancel-log-clearing' })
    const end = performance.now() + cancelMs
    while (this.progress().running && performance.now() < end) await Bun.sleep(progressMs / 10)
    return this.progress()
  }

  #abort(): void {
    if (this.#running === undefined) return
    this.#running.abort()
    this.#own = { ...this.#own, cancelled: true }
  }

  #busy(): Refusal {
    return new Refusal('log_clear_running', { deleted: this.progress().deleted })
  }

  #record(actor: Actor, after: object): Promise<void> {
    const target = { kind: 'log', name: 'usage log' } as const
    return this.#deps.auditLog.record(actor, { action: 'log.clear', target, after })
  }

  /** Audits the clearing before it deletes anything, and again with its result: a crash must not hide who started it. */
  async #recorded(actor: Actor, before: number, signal: AbortSignal): Promise<number> {
    await this.#record(actor, { target_timestamp: before })
    try {
      return await this.#run(before, signal)
    } finally {
      const { deleted, cancelled, failed } = this.#own
      await this.#record(actor, { target_timestamp: before, deleted, cancelled, failed })
    }
  }

  async #run(before: number, signal: AbortSignal): Promise<number> {
    const now = secondsOf(this.#deps.clock)
    this.#heard = undefined
    this.#own = { ...none, running: true, target_timestamp: before, started_at: now() }
    this.#sendProgress()
    const sending = setInterval(() => this.#sendProgress(), progressMs)
    const onProgress = (deleted: number) => {
      this.#own = { ...this.#own, deleted }
    }
    try {
      const deleted = await this.#deps.usage.clearBefore(before, onProgress, signal)
      this.#own = { ...this.#own, deleted }
      return deleted
    } catch (error) {
      this.#own = { ...this.#own, failed: true }
      throw error
    } finally {
      clearInterval(sending)
      this.#own = { ...this.#own, running: false, ended_at: now(), cancelled: signal.aborted }
      this.#sendProgress()
    }
  }

  /** Lets the other nodes know. One that misses it shows what it heard before. */
  #sendProgress(): void {
    this.#deps.messages.send({ type: 'log-clearing', progress: this.#own }).catch(() => undefined)
  }

  #received(message: unknown): void {
    const { success, data } = clearingMessage.safeParse(message)
    if (!success) return
    if (data.type === 'cancel-log-clearing') this.#abort()
    else this.#heard = { progress: data.progress, at: performance.now() }
  }
}
