import type { Logger } from '../lib/logger.ts'
import type { ChangeBus } from '../store/change-events.ts'
import { createListener } from '../store/engine/open/listen.ts'
import type { SeenNode } from '../store/fleet/nodes.ts'
import type { Store } from '../store/store.ts'
import { type ChangeTargets, createChangeReceiver } from './changes.ts'
import { createForeignWriteWatch } from './foreign-writes.ts'
import type { Siblings } from './machine-reach.ts'
import { createMessages, type FleetMessages, noMessages } from './messages.ts'
import { createCallRate, createHeartbeat, type NodeFacts, type NodeFigures } from './nodes.ts'

/** The nodes that share a database, as this one sees them. */
export interface Fleet {
  /** Nodes that live, this one among them. */
  nodes(): number
  /**
   * Number of the lease under which this node holds shares of balances; `undefined` once it has been out of touch for so long that
   * others may return them to what is free. It ends before they do; the next one has another number.
   */
  shareLease(): number | undefined
  /** False while changes of other nodes may have been missed: nothing may be admitted. */
  readonly hears: boolean
  readonly messages: FleetMessages
  /** Has it heard when another node has joined this one, which was alone. */
  onCompany(heard: () => void): void
  list(): Promise<readonly SeenNode[]>
  /** Says from now on that this node lives. Nothing may be held of balances before. Rejects when the database cannot be reached. */
  join(figures: () => NodeFigures): Promise<void>
  /** Hears from now on what others change, and what they changed in the last minute: all that holds rows in memory is there. */
  listen(targets: ChangeTargets): Promise<void>
  /** Says that this node is about to end. */
  drain(): void
  close(): Promise<void>
}

/** A node of several that hears nothing for longer admits nothing. */
const deafMs = 10_000
const changesChannel = 'tollgate_changes'
const messagesChannel = 'tollgate_messages'

/** The name of a node's connections; what they change carries it. */
export function connectionNameOf(node: string): string {
  return `tollgate ${node}`
}

interface FleetDependencies {
  readonly node: NodeFacts
  readonly store: Pick<Store, 'nodes' | 'changes'>
  /** The server itself where a transaction pooler is in between. */
  readonly listenUrl: string
  /** Absent for a process that serves by itself. */
  readonly siblings?: Siblings | undefined
  /** Longest time for which a node that is alone serves without the database; as long as its journal has room by default. */
  readonly loneMs?: number | undefined
  readonly bus: ChangeBus
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** A node of several on one PostgreSQL database. */
export async function createFleet({
  node,
  store,
  listenUrl,
  loneMs = Number.POSITIVE_INFINITY,
  siblings,
  bus,
  logger,
}: FleetDependencies): Promise<Fleet> {
  const author = connectionNameOf(node.id)
  let receiver: ReturnType<typeof createChangeReceiver> | undefined
  let heartbeat: ReturnType<typeof createHeartbeat> | undefined
  let isDraining = false
  let heardOfCompany: (() => void) | undefined
  const listener = await createListener({
    url: listenUrl,
    channels: [changesChannel, messagesChannel],
    name: author,
    logger,
    notified(channel, payload) {
      try {
        if (channel === changesChannel) receiver?.received(payload)
        else received(payload)
      } catch (err) {
        logger.error(
          { err, channel },
          'a message of another node cannot be read: bring all nodes to the same version',
        )
      }
    },
    connected: async (heardMs, nowMs) => receiver?.catchUp(heardMs ?? nowMs, nowMs),
  })
  const { messages, received } = createMessages({
    node: node.id,
    notify: (payload) => listener.notify(messagesChannel, payload),
    logger,
  })
  return {
    nodes: () => heartbeat?.live() ?? 1,
    shareLease: () => heartbeat?.shareLease(),
    get hears() {
      const { silentMs } = listener
      return silentMs < deafMs || (silentMs < loneMs && heartbeat?.isLoneCutOff() === true)
    },
    messages,
    onCompany(heard) {
      heardOfCompany = heard
    },
    list: () => store.nodes.list(),
    async join(figures) {
      const startedMs = await store.nodes.now()
      heartbeat = createHeartbeat({
        nodes: store.nodes,
        node: { ...node, startedMs },
        figures,
        draining: () => isDraining,
        onCompany: () => heardOfCompany?.(),
        siblings,
        logger,
      })
      await heartbeat.start()
    },
    async listen(targets) {
      receiver = createChangeReceiver({ ...targets, changes: store.changes, bus, author, logger })
      await listener.start()
    },
    drain() {
      isDraining = true
      heartbeat?.hurry()
    },
    async close() {
      await heartbeat?.stop()
      receiver?.close()
      await listener.close()
    },
  }
}

interface LoneDependencies {
  readonly node: NodeFacts
  readonly store: Pick<Store, 'foreignWrites'>
  readonly bus: ChangeBus
  readonly logger: Pick<Logger, 'warn'>
}

/** The only node of its database. What a command of the program changes beside it, it notices. */
export function createLoneFleet({ node, store, bus, logger }: LoneDependencies): Fleet {
  const watch = createForeignWriteWatch({ store, bus, logger })
  const startedMs = Date.now()
  const rate = createCallRate()
  let figures: (() => NodeFigures) | undefined
  let draining = false
  return {
    nodes: () => 1,
    shareLease: () => 0,
    hears: true,
    messages: noMessages,
    onCompany: () => undefined,
    async list() {
      const now = figures?.() ?? { journalSeq: 0, journalLag: 0, keyIds: '', drainingCalls: '' }
      const seen = { seenMs: Date.now(), silentMs: 0, reclaimed: false }
      const callsPerSecond = rate(now.journalSeq)
      return [{ ...node, ...now, ...seen, callsPerSecond, startedMs, draining, shares: 0, jobs: [] }]
    },
    async join(nodeFigures) {
      figures = nodeFigures
    },
    listen: ({ settings }) => watch.start(settings),
    drain() {
      draining = true
    },
    close: watch.stop,
  }
}
