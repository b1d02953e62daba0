/**
 * Simulation of the rows that the calls of a fleet write together: callers are drawn by Zipf's law, nodes group calls as the flusher
 * does, and a group writes each row once.
 */

import { randomNumbers } from '../random.ts'

export interface Traffic {
  readonly callsPerSecond: number
  readonly nodes: number
  /** People with a key that call within an hour. The first of them calls as often as the second and third together, and so on. */
  readonly accounts: number
  /** Every call of an account goes to the node that its key names, instead of any node. */
  readonly sticky: boolean
}

export interface Written {
  /** Calls that a node writes in one transaction. */
  readonly group: number
  /** Rows of accounts, shares and rollups that are written for a call. */
  readonly rowsPerCall: number
  readonly groupsPerSecond: number
  /** Accounts that a node meets for the first time within the first seconds after its start, in one second. */
  readonly coldPerSecond: number
}

/** Times and sizes of billing/write-behind/flusher.ts. */
const defaultPauseSeconds = 0.2
const busyGroup = 500
const busyPauses = 10
const fullGroup = 20_000
/** Rows that a group writes for each person: user and key with a share each, rollups and charges by hour. */
const rowsOfAccount = 7
/** Rows that it writes once: the channel, the rollup of the model. */
const rowsOfAll = 4
const coldSeconds = 5

/** Simulates a few groups of one node. */
export function simulate({ callsPerSecond, nodes, accounts, sticky }: Traffic): Written {
  const perNode = callsPerSecond / nodes
  const pause =
    perNode * defaultPauseSeconds >= busyGroup ? defaultPauseSeconds * busyPauses : defaultPauseSeconds
  const group = Math.max(1, Math.min(fullGroup, Math.round(perNode * pause)))
  const draw = callers(sticky ? Math.ceil(accounts / nodes) : accounts)
  const rounds = 5
  let rows = 0
  for (let round = 0; round < rounds; round += 1) rows += rowsOfAccount * distinct(draw, group) + rowsOfAll
  return {
    group,
    rowsPerCall: rows / rounds / group,
    groupsPerSecond: callsPerSecond / group,
    coldPerSecond: distinct(draw, Math.round(perNode * coldSeconds)) / coldSeconds,
  }
}

function distinct(draw: () => number, calls: number): number {
  const seen = new Set<number>()
  for (let call = 0; call < calls; call += 1) seen.add(draw())
  return seen.size
}

/** Zipf's law with exponent 1, by the inverse of its sum, which is close to a logarithm. */
function callers(count: number): () => number {
  const random = randomNumbers(count)
  const total = Math.log(count + 1)
  return () => Math.min(count - 1, Math.floor(Math.exp(random() * total)) - 1)
}
