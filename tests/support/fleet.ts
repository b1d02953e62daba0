import { findTool } from '../../scripts/lib/tools.mjs'
import type { Operator } from './operator.ts'
import { startTollgate, type Tollgate } from './server.ts'

/** Three nodes over one PostgreSQL database. */
export type Nodes = readonly [Tollgate, Tollgate, Tollgate]

type Env = Readonly<Record<string, string>>

/**
 * Starts three nodes, the first before the others.
 * @param each what the environments of the three have for themselves
 */
export async function startNodes(env: Env, each: readonly [Env, Env, Env] = [{}, {}, {}]): Promise<Nodes> {
  const common = {
    TOLLGATE_SECRET: 'the secret of every node of this fleet',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT: '100000',
    ...env,
  }
  const [first, second, third] = each
  // A node that starts waits for the flushes of the others, and all of them for a busy machine.
  const start = (own: Env) => startTollgate({ env: { ...common, ...own }, readyMs: 40_000 })
  const node = await start(first)
  try {
    return [node, ...(await Promise.all([start(second), start(third)]))]
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** The environment of a program whose wall clock is off; its monotonic clock is as ever. */
export function clockOffBy(seconds: number): Env {
  const library = findTool('faketime')
  if (library === undefined)
    throw new Error('no libfaketime here; install it or name it in TOLLGATE_TEST_FAKETIME')
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  }
}

export interface ChargedCall {
  readonly request_id: string
  readonly quota: number
  readonly created_at: number
  readonly token_name: string
  readonly username: string
}

/** Every charged call in the log, by its request id: one that was charged twice is there twice. */
export async function chargedCalls(operator: Operator): Promise<ReadonlyMap<string, readonly ChargedCall[]>> {
  const charged = new Map<string, ChargedCall[]>()
  for (let page = 1; ; page += 1) {
    const { items } = await operator.api<{ items: ChargedCall[] }>(
      'GET',
      `/api/log/?p=${page}&page_size=100&type=2`,
    )
    for (const row of items) charged.set(row.request_id, [...(charged.get(row.request_id) ?? []), row])
    if (items.length < 100) return charged
  }
}
