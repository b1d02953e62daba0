import type { Logger } from '../../lib/logger.ts'
import { describeServer, StoreOpenError, toOpenError } from '../errors.ts'

/** The claim that this process alone is its node, or the one gateway of the database. */
export interface DatabaseClaim {
  /** False once another process has the database: the gateway must admit no more calls. */
  readonly held: boolean
  /** Resolves, with a sentence for the operator, when another process has taken the database. */
  readonly lost: Promise<Error>
  release(): Promise<void>
}

export interface ClaimConfig {
  /** Without it the database is a file in the data directory, which is locked with its journal. */
  readonly databaseUrl?: string | undefined
  /** One node of a fleet; absent where one gateway has the database for itself. */
  readonly node?: string | undefined
  /** Name of the connections over which the holder works: those that an earlier process has left are ended. */
  readonly connectionName?: string
  /** Longest wait for another process to let go; some seconds by default. */
  readonly waitMs?: number
  /** What the operator reads when another process has it, instead of the usual sentence. */
  readonly refusal?: string
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

/**
 * Claims the node for this process, or the database for one gateway. Two processes that write one journal, or two gateways that
 * each hold all balances, would spend them twice.
 * @throws StoreOpenError with one sentence when another process has it and does not release it within some seconds, or when
 * it cannot be reached
 */
export async function claimDatabase({
  databaseUrl,
  node,
  connectionName,
  waitMs,
  refusal,
  logger,
}: ClaimConfig): Promise<DatabaseClaim> {
  if (!databaseUrl) return unshared
  const place = `the PostgreSQL database at ${describeServer(databaseUrl)}`
  const { createPostgresClaim } = await import('../dialects/postgres-claim.ts')
  const times = waitMs === undefined ? {} : { waitMs }
  const claim = await createPostgresClaim({ url: databaseUrl, node, connectionName, logger, times })
  const taken = await claim.acquire().catch(async (error: unknown) => {
    await claim.release()
    throw toOpenError(error, `T${place.slice(1)} cannot be used`)
  })
  if (!taken) {
    await claim.release()
    throw new StoreOpenError(refusal ?? refusalOf(place, node))
  }
  return {
    get held() {
      return claim.held
    },
    lost: claim.lost.then(
      () =>
        new StoreOpenError(
          node === undefined
            ? `Another Tollgate process has taken ${place}.`
            : `Another Tollgate process has taken node ${node} on ${place}.`,
        ),
    ),
    release: () => claim.release(),
  }
}

function refusalOf(place: string, node: string | undefined): string {
  return node === undefined
    ? `Another Tollgate process is using ${place}.`
    : `Another Tollgate process runs node ${node} on ${place}: give each node a DATA_DIR of its own, and never a copy of another's journal.`
}

const unshared: DatabaseClaim = {
  held: true,
  lost: new Promise(() => undefined),
  async release() {},
}
