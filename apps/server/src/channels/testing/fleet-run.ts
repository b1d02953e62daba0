import { z } from 'zod'
import type { FleetMessages } from '../../fleet/messages.ts'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { LeaseRepository } from '../../store/repositories/leases.ts'
import type { ChannelRunControl, RunProgress } from './channel-runner.ts'

interface Dependencies {
  /** Of the run, the same on every node; not that of a job. */
  readonly name: string
  /** Tells a person that the run is under way. */
  readonly busy: 'channel_test_running' | 'channel_balances_running'
  readonly node: string
  readonly leases: Pick<LeaseRepository, 'take' | 'give'>
  readonly messages: FleetMessages
  readonly logger: Pick<Logger, 'warn'>
  readonly times?: typeof usualTimes
}

/** A node that has been silent for `goneMs` runs nothing any more, and its lease is free. */
const usualTimes = { beatMs: 500, goneMs: 6000, cancelMs: 3000 }

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

/** A lease keeps other nodes from the same run; they hear of its progress, and may miss some of it. */
export function createFleetRun<Starter>(
  control: ChannelRunControl<Starter>,
  deps: Dependencies,
): FleetRun<Starter> {
  const { name, busy, node, leases, messages, logger, times = usualTimes } = deps
  /** The last that was heard of the run on another node. */
  let heard: { readonly progress: RunProgress; readonly at: number } | undefined
  let beating: Promise<void> = Promise.resolve()

  const unsubscribe = messages.subscribe((received) => {
    const { success, data } = runMessage.safeParse(received)
    if (!success || data.name !== name) return
    if (data.type === 'cancel-channel-run') void control.cancel()
    else heard = { progress: data.progress, at: performance.now() }
  })

  function progress(): RunProgress {
    if (control.progress.running || heard === undefined) return control.progress
    const isGone = heard.progress.running && performance.now() - heard.at > times.goneMs
    return isGone ? { ...heard.progress, running: false, cancelled: true } : heard.progress
  }

  /** Says how far the run is, and keeps its lease, until it has ended. */
  async function beat(): Promise<void> {
    for (;;) {
      const { progress: now } = control
      await messages.send({ type: 'channel-run', name, progress: now }).catch(() => undefined)
      if (!now.running) break
      await Bun.sleep(times.beatMs)
      await take().catch((error: unknown) =>
        logger.warn({ err: error, run: name }, 'the lease of a run over all channels was not prolonged'),
      )
    }
    // It ends by itself where the database does not respond.
    await leases.give([name], node).catch(() => undefined)
  }

  async function take(): Promise<boolean> {
    return (await leases.take([name], node, times.goneMs)).length > 0
  }

  async function begin<Result>(run: () => Result): Promise<Awaited<Result>> {
    if (progress().running || !(await take())) throw new Refusal(busy)
    const result = run()
    heard = undefined
    beating = beat()
    return await result
  }

  return {
    get progress() {
      return progress()
    },
    start: (starter) => begin(() => control.start(starter)),
    async run(signal) {
      const running = begin(() => ({ ended: control.run(signal) })).catch((error: unknown) => {
        // The run is under way already.
        if (!(error instanceof Refusal)) throw error
      })
      await (await running)?.ended
    },
    async cancel() {
      if (control.progress.running) return await control.cancel()
      if (!progress().running) return progress()
      await messages.send({ type: 'cancel-channel-run', name }).catch(() => undefined)
      const end = performance.now() + times.cancelMs
      while (progress().running && performance.now() < end) await Bun.sleep(times.beatMs / 10)
      return progress()
    },
    async close() {
      unsubscribe()
      await control.cancel()
      await beating
    },
  }
}
