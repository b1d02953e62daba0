import type { Fleet } from '../../fleet/fleet.ts'
import { goneMs } from '../../fleet/nodes.ts'
import type { SeenNode } from '../../store/fleet/nodes.ts'
import type { TaskRepository } from '../../store/work/tasks.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'

/** Work that is open at a channel, on all nodes that live. */
export interface OpenWork {
  readonly calls: number
  /** Asynchronous tasks that it works on. */
  readonly tasks: number
  /** Nodes that do not say: they are of the version before, have not heard of the drain yet, or said so too long ago. */
  readonly silentNodes: number
}

interface OpenWorkDependencies {
  readonly fleet: Pick<Fleet, 'list'>
  readonly tasks: Pick<TaskRepository, 'openAccounts'>
}

/** Reads what is open at these channels, by channel. */
export async function openWorkAt(
  ids: readonly number[],
  { fleet, tasks }: OpenWorkDependencies,
): Promise<ReadonlyMap<number, OpenWork>> {
  const [nodes, accounts] = await Promise.all([fleet.list(), tasks.openAccounts()])
  return openWorkOf(ids, nodes, accounts)
}

type Account = Awaited<ReturnType<TaskRepository['openAccounts']>>[number]

/** Age of what a node said that still counts: it says so every two seconds, and a drain ends after five. */
const staleMs = 4000

/** Adds up what nodes say of their calls, and the tasks of accounts. A node that is gone has no calls any more. */
export function openWorkOf(
  ids: readonly number[],
  nodes: readonly Pick<SeenNode, 'silentMs' | 'drainingCalls'>[],
  accounts: readonly Pick<Account, 'channelId' | 'count'>[],
): ReadonlyMap<number, OpenWork> {
  const reports = nodes.filter(({ silentMs }) => silentMs < goneMs).map(readDrainingCalls)
  return new Map(
    ids.map((id) => [
      id,
      {
        calls: sumOf(reports.map((report) => report[id] ?? 0)),
        tasks: sumOf(accounts.map(({ channelId, count }) => (channelId === id ? count : 0))),
        silentNodes: reports.filter((report) => report[id] === undefined).length,
      },
    ]),
  )
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

type DrainingCalls = Readonly<Record<number, number>>

function readDrainingCalls({
  drainingCalls: text,
  silentMs,
}: Pick<SeenNode, 'drainingCalls' | 'silentMs'>): DrainingCalls {
  // A node writes it as `drainingCallsText` does; one of the version before leaves it empty.
  return text === '' || silentMs >= staleMs ? {} : (JSON.parse(text) as DrainingCalls)
}

/** Returns what this node says of its calls at each channel that drains: also that there are none. */
export function drainingCallsText(
  { channels }: Pick<ChannelSnapshot, 'channels'>,
  countByChannel: () => ReadonlyMap<number, number>,
): string {
  const draining = channels.filter(({ drain }) => drain !== undefined)
  if (draining.length === 0) return '{}'
  const counts = countByChannel()
  return JSON.stringify(Object.fromEntries(draining.map(({ id }) => [id, counts.get(id) ?? 0])))
}
