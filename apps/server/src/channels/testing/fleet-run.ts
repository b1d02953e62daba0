import { type ChannelReasonCode, isChannelReasonCode } from '@tollgate/api'
import { z } from 'zod'
import type { FleetMessages } from '../../fleet/messages.ts'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { LeaseRepository } from '../../store/fleet/leases.ts'
import type { ChannelRunControl, RunProgress } from './channel-runner.ts'

interface Dependencies {
  /** Name of the run, the same on every node; not that of a job. */
  readonly name: string
  /** Tells a person that the run is under way. */
  readonly busy: 'channel_test_running' | 'channel_balances_running'
  readonly node: string
  readonly leases: Pick<LeaseRepository, 'take' | 'give'>
  readonly messages: FleetMessages
  readonly logger: Pick<Logger, 'warn'>
  readonly times?: typeof defaultTimes
}

/** A node that has been silent for `goneMs` runs nothing any more, and its lease is free. */
const defaultTimes = { beatMs: 500, goneMs: 6000, cancelMs: 3000 }

const progressMessage = z.object({
  type: z.literal('channel-run'),
  name: z.string(),
  progress: z.object({
    running: z.boolean(),
    total: z.number(),
    done: z.number(),
    failed: z.number(),
    cancelled: z.boolean(),
    startedAt: z.number(),
    finishedAt: z.number(),
    startedBy: z.string(),
    // Nodes of the version before say nothing of these.
    takenOut: z
      .array(
        z.object({
          id: z.number(),
          name: z.string(),
          keyIndex: z.number().nullable(),
          reason: z.object({
            code: z.custom<ChannelReasonCode>(
              (code) => typeof code === 'string' && isChannelReasonCode(code),
            ),
            params: z.record(z.string(), z.union([z.string(), z.number()])),
          }),
        }),
      )
      .default([]),
    spared: z.array(z.object({ id: z.number(), name: z.string() })).default([]),
  }),
})
const cancelMessage = z.object({ type: z.literal('cancel-channel-run'), name: z.string() })
const runMessage = z.union([progressMessage, cancelMessage])

/** A run of one node at a time, which people see and cancel on every node. */
export interface FleetRun<Starter> extends ChannelRunControl<Starter> {
  /** Throws `Refusal` while the run is under way on any node. */
  start(starter: Starter): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the runs over all channels of a fleet: a lease keeps other nodes from the same run; they hear of its progress, and may miss
 * some of it.
 */
export function createFleetRun<Starter>(
  control: ChannelRunControl<Starter>,
  deps: Dependencies,
): FleetRun<Starter> {
  return new LeasedRun(control, deps)
}

class LeasedRun<Starter> implements FleetRun<Starter> {
  readonly #control: ChannelRunControl<Starter>
  readonly #deps: Dependencies
  readonly #times: typeof defaultTimes
  readonly #unsubscribe: () => void
  /** The last that was heard of the run on another node. */
  #heard: { readonly progress: RunProgress; readonly at: number } | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor(control: ChannelRunControl<Starter>, deps: Dependencies) {
    this.#control = control
    this.#deps = deps
    this.#times = deps.times ?? defaultTimes
    this.#unsubscribe = deps.messages.subscribe((message) => this.#received(message))
  }

  get progress(): RunProgress {
    const { progress } = this.#control
    if (progress.running || this.#heard === undefined) return progress
    const { progress: heard, at } = this.#heard
    const isGone = heard.running && performance.now() - at > this.#times.goneMs
    return isGone ? { ...heard, running: false, cancelled: true } : heard
  }

  async start(starter: Starter): Promise<void> {
    await this.#begin(() => this.#control.start(starter))
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      const { ended } = await this.#begin(() => ({ ended: this.#control.run(signal) }))
      await ended
    } catch (error) {
      // The run is under way already.
      if (!(error instanceof Refusal)) throw error
    }
  }

  async cancel(): Promise<RunProgress> {
    if (this.#control.progress.running) return await this.#control.cancel()
    if (!this.progress.running) return this.progress
    const { messages, name } = this.#deps
    await messages.send({ type: 'cancel-channel-run', name }).catch(() => undefined)
    const end = performance.now() + this.#times.cancelMs
    while (this.progress.running && performance.now() < end) await Bun.sleep(this.#times.beatMs / 10)
    return this.progress
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#control.cancel()
    await this.#beating
  }

  #received(message: unknown): void {
    const { success, data } = runMessage.safeParse(message)
    if (!success || data.name !== this.#deps.name) return
    if (data.type === 'cancel-channel-run') void this.#control.cancel()
    else this.#heard = { progress: data.progress, at: performance.now() }
  }

  async #begin<Result>(run: () => Result): Promise<Awaited<Result>> {
    if (this.progress.running || !(await this.#take())) throw new Refusal(this.#deps.busy)
    const result = run()
    this.#heard = undefined
    this.#beating = this.#beat()
    return await result
  }

  async #take(): Promise<boolean> {
    const { leases, name, node } = this.#deps
    return (await leases.take([name], node, this.#times.goneMs)).length > 0
  }

  /** Says how far the run is, and keeps its lease, until it has ended. */
  async #beat(): Promise<void> {
    const { messages, leases, name, node, logger } = this.#deps
    for (;;) {
      const { progress } = this.#control
      await messages.send({ type: 'channel-run', name, progress }).catch(() => undefined)
      if (!progress.running) break
      await Bun.sleep(this.#times.beatMs)
      await this.#take().catch((error: unknown) =>
        logger.warn(
          { err: error, run: name },
          'the lease of this run over all channels was not prolonged, and another node may begin it too: check the database',
        ),
      )
    }
    // It ends by itself where the database does not respond.
    await leases.give([name], node).catch(() => undefined)
  }
}
