import type { Logger } from '../../../lib/logger.ts'
import { StoreOpenError, toOpenError } from '../../errors.ts'
import { describeServer } from '../address/postgres-address.ts'

/** The claim that this process alone runs its node. */
export interface NodeClaim {
  /** False once another process runs the node: this one must admit no more calls. */
  readonly held: boolean
  /** Resolves, with a sentence for the operator, when another process has taken the node. */
  readonly lost: Promise<Error>
  release(): Promise<void>
}

export interface ClaimConfig {
  /** URL of the database; without it the database is a file in the data directory, which is locked with its journal. */
  readonly databaseUrl?: string | undefined
  readonly node: string
  /** Name of the connections over which the node works: those that an earlier process has left are ended. */
  readonly connectionName: string
  /** Longest wait for another process to let go; some seconds by default. */
  readonly waitMs?: number
  /** Sentence for the operator when another process has it, instead of the default one. */
  readonly refusal?: string
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

/**
 * Claims the node for this process. Two processes that write one journal would spend its share of every balance twice.
 * @throws StoreOpenError with one sentence when another process has it and does not release it within some seconds, or when
 * the database cannot be reached
 */
export async function claimNode({
  databaseUrl,
  node,
  connectionName,
  waitMs,
  refusal,
  logger,
}: ClaimConfig): Promise<NodeClaim> {
  if (!databaseUrl) return unshared
  const name = `the PostgreSQL database at ${describeServer(databaseUrl)}`
  const { createPostgresClaim } = await import('../connections/postgres-claim.ts')
  const times = waitMs === undefined ? {} : { waitMs }
  const claim = await createPostgresClaim({ url: databaseUrl, node, connectionName, logger, times })
  const taken = await claim.acquire().catch(async (error: unknown) => {
    await claim.release()
    throw toOpenError(error, `T${name.slice(1)} cannot be used`)
  })
  if (!taken) {
    await claim.release()
    throw new StoreOpenError(
      refusal ??
        `Another Tollgate process runs node ${node} on ${name}: give each node a DATA_DIR of its own, and never a copy of another's journal. A version of Tollgate that has the database for itself must stop first.`,
    )
  }
  return {
    get held() {
      return claim.held
    },
    lost: claim.lost.then(
      () => new StoreOpenError(`Another Tollgate process has taken node ${node} on ${name}.`),
    ),
    release: () => claim.release(),
  }
}

const unshared: NodeClaim = {
  held: true,
  lost: new Promise(() => undefined),
  async release() {},
}
