import { z } from 'zod'
import { unixSeconds } from '../wire.ts'
import { get } from './define.ts'

/** `gone`: silent for ten seconds without having said goodbye; what its journal has may be missing in the database. */
const nodeStates = ['live', 'draining', 'gone'] as const

/** A process of Tollgate that shares the database, as it described itself last. */
const nodeRow = z.object({
  /** Id of its journal; the same over restarts. */
  id: z.string(),
  version: z.string(),
  /** Host and port. */
  address: z.string(),
  state: z.enum(nodeStates),
  started_at: unixSeconds,
  seen_at: unixSeconds,
  calls_per_second: z.number(),
  /** Number of the last settled call in its journal. */
  journal_seq: z.number().int(),
  /** Number of settled calls that the database lacked when the node was seen last. */
  journal_lag: z.number().int(),
  /** Accounts of whose balance it holds a part. */
  shares: z.number().int(),
  /** Jobs of the fleet that this node runs. */
  jobs: z.array(z.string()),
})
export type NodeRow = z.output<typeof nodeRow>

export const nodes = {
  /** The node that started last comes first; where there is one node, that one. */
  list: get('root', '/api/nodes', { recentProof: 'reads', data: z.array(nodeRow) }),
}
