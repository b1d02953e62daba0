import type { Logger } from '../lib/logger.ts'
import type { NodeBeat, NodeRepository } from '../store/fleet/nodes.ts'
import { MachineReach, noSiblings, type Siblings } from './machine-reach.ts'

/** A node that is silent for longer is gone. */
export const goneMs = 10_000
/** After this silence others return what a node holds of balances. */
export const reclaimedMs = 60_000
/** It must know so before they do. */
const leaseMs = 55_000
const beatMs = 2000

/** Figures that a node reports from time to time. */
export interface NodeFigures {
  /** Number of the last settled call in the journal, and how many of them the database lacks. */
  readonly journalSeq: number
  readonly journalLag: number
  /** Ids of the keys whose sealed texts it opens, with blanks in between. */
  readonly keyIds: string
  /** JSON text: the calls that it has open at each channel that drains, by channel. */
  readonly drainingCalls: string
}

/** Facts of a node that hold for as long as it runs. */
export type NodeFacts = Pick<NodeBeat, 'id' | 'version' | 'address'>

interface Dependencies {
  readonly nodes: Pick<NodeRepository, 'beat' | 'remove'>
  readonly node: NodeFacts & Pick<NodeBeat, 'startedMs'>
  readonly figures: () => NodeFigures
  readonly draining: () => boolean
  /** Another node has joined this one, which was alone. */
  readonly onCompany?: () => void
  readonly siblings?: Siblings | undefined
  readonly logger: Pick<Logger, 'warn'>
  /** Milliseconds of the monotonic clock. */
  readonly now?: () => number
}

/** Counts settled calls by the journal's numbers, between two looks. */
export function createCallRate(now: () => number = () => performance.now()) {
  let last: { readonly at: number; readonly seq: number } | undefined
  return (seq: number): number => {
    const at = now()
    const rate = last === undefined ? 0 : (seq - last.seq) / ((at - last.at) / 1000)
    last = { at, seq }
    return Number.isFinite(rate) ? Math.round(rate * 10) / 10 : 0
  }
}

/** Writes every two seconds that this node lives, and knows how many do. */
export function createHeartbeat({
  nodes,
  node,
  figures,
  draining,
  onCompany,
  siblings = noSiblings,
  logger,
  now: clock = () => performance.now(),
}: Dependencies) {
  const rate = createCallRate()
  const reach = new MachineReach(node.id, siblings, clock)
  let live = 1
  let lease = 0
  let leaseEndsAt = Number.NEGATIVE_INFINITY
  let fails = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let beating: Promise<void> = Promise.resolve()
  let stopped = false

  async function beat(): Promise<void> {
    const now = figures()
    const callsPerSecond = rate(now.journalSeq)
    const sentAt = clock()
    const ids = await nodes.beat({ ...node, ...now, callsPerSecond, draining: draining() }, goneMs)
    const wasAlone = live === 1
    live = ids.length
    if (wasAlone && live > 1) onCompany?.()
    reach.beaten(ids, sentAt)
    if (clock() > leaseEndsAt) lease += 1
    leaseEndsAt = sentAt + leaseMs
    fails = false
  }

  function next(): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(beatAgain, beatMs)
    timer.unref()
  }

  function beatAgain(): void {
    beating = beating.then(beat).catch(report).finally(next)
  }

  function report(err: unknown): void {
    if (!fails)
      logger.warn(
        { err },
        'this node cannot write its sign of life, and others count it as gone after ten seconds: check the database',
      )
    fails = true
  }

  const isLoneCutOff = (): boolean => reach.isLoneCutOff

  return {
    isLoneCutOff,
    /** Nodes that live, this one among them, as of the last heartbeat. */
    live: (): number => live,
    /** Number of the lease on this node's shares of balances; `undefined` while others may have returned them. */
    shareLease: (): number | undefined => (clock() > leaseEndsAt && !isLoneCutOff() ? undefined : lease),
    async start(): Promise<void> {
      await beat()
      next()
    },
    /** Says now what it would say within two seconds. */
    hurry: beatAgain,
    /** Leaves the fleet in good order. A node that leaves charges in its journal stays in the list, as one that is gone. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await beating
      if (figures().journalLag === 0) await nodes.remove(node.id).catch(report)
    },
  }
}
