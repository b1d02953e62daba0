import type { Logger } from '../../lib/logger.ts'
import type { LeaseRepository } from '../../store/fleet/leases.ts'

/** After this silence of a node its jobs go to others. */
const defaultTimes = { ttlMs: 6000, renewMs: 2000 }

/** Learns which jobs are this node's. */
interface Holder {
  /** @param sinceRunMs time since the job ran last on any node; `undefined` when it never did */
  taken(name: string, sinceRunMs: number | undefined): void
  lost(name: string): void
}

interface Options {
  readonly leases: LeaseRepository
  /** Names this node, over its restarts too: after a crash it has its own leases back at once. */
  readonly node: string
  readonly logger: Pick<Logger, 'warn'>
  /** Decides whether this node may work for the fleet now; one that may not leaves its jobs to others. */
  readonly isFit?: () => boolean
  readonly times?: typeof defaultTimes
}

/**
 * This node's leases on jobs of the fleet: takes those that are free, and prolongs its own. One that it cannot prolong in
 * time is lost here before another node can have it; timers do not depend on the wall clock.
 */
export function createJobLeases({ leases, node, logger, isFit = () => true, times = defaultTimes }: Options) {
  /** The timers that end what this node holds. */
  const held = new Map<string, ReturnType<typeof setTimeout>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let round: Promise<void> | undefined
  let stopped = false

  async function renew(names: readonly string[], holder: Holder): Promise<void> {
    const sentAt = performance.now()
    try {
      const taken = await leases.take(names, node, times.ttlMs)
      const leftMs = times.ttlMs - (performance.now() - sentAt)
      if (stopped || leftMs <= 0) return
      for (const name of held.keys()) if (!taken.some((lease) => lease.name === name)) lose(name, holder)
      for (const { name, sinceRunMs } of taken) {
        const isNew = !held.has(name)
        clearTimeout(held.get(name))
        held.set(
          name,
          setTimeout(() => lose(name, holder), leftMs),
        )
        if (isNew) holder.taken(name, sinceRunMs)
      }
    } catch (error) {
      logger.warn(
        { err: error },
        'the leases of jobs were not prolonged, and another node may take the jobs over: check the database',
      )
    }
  }

  /** Leaves the jobs to others once the leases are over, so that what runs here has ended. */
  async function leaveAll(holder: Holder): Promise<void> {
    for (const name of [...held.keys()]) lose(name, holder)
  }

  function lose(name: string, holder: Holder): void {
    clearTimeout(held.get(name))
    held.delete(name)
    holder.lost(name)
  }

  function start(names: readonly string[], holder: Holder): void {
    round = (isFit() ? renew(names, holder) : leaveAll(holder)).finally(() => {
      if (stopped) return
      timer = setTimeout(() => start(names, holder), times.renewMs)
      timer.unref()
    })
  }

  return {
    start,
    /** The job has ended well: its next holder learns when. */
    noteRun: (name: string): Promise<void> => leases.noteRun(name, node),
    /** Takes and prolongs no more leases. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await round
    },
    /** Gives the leases up, as the jobs have ended: another node may begin at once. */
    async giveUp(): Promise<void> {
      const names = [...held.keys()]
      for (const ending of held.values()) clearTimeout(ending)
      held.clear()
      // They end by themselves where the database does not respond.
      await leases.give(names, node).catch(() => undefined)
    },
  }
}

export type JobLeases = ReturnType<typeof createJobLeases>
