import type { Logger } from '../../lib/logger.ts'
import { describeServer, StoreOpenError, toOpenError } from '../errors.ts'

/** The claim that this process alone spends the money in the database. */
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
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

/**
 * Claims the database for this process. Two gateways that each hold balances in memory would spend them twice.
 * @throws StoreOpenError with one sentence when another process has it and does not release it within some seconds, or
 * when it cannot be reached
 */
export async function claimDatabase({ databaseUrl, logger }: ClaimConfig): Promise<DatabaseClaim> {
  if (!databaseUrl) return unshared
  const place = `the PostgreSQL database at ${describeServer(databaseUrl)}`
  const { createPostgresClaim } = await import('../dialects/postgres-claim.ts')
  const claim = await createPostgresClaim({ url: databaseUrl, logger })
  const taken = await claim.acquire().catch(async (error: unknown) => {
    await claim.release()
    throw toOpenError(error, `T${place.slice(1)} cannot be used`)
  })
  if (!taken) {
    await claim.release()
    throw new StoreOpenError(`Another Tollgate process is using ${place}.`)
  }
  return {
    get held() {
      return claim.held
    },
    lost: claim.lost.then(() => new StoreOpenError(`Another Tollgate process has taken ${place}.`)),
    release: () => claim.release(),
  }
}

const unshared: DatabaseClaim = {
  held: true,
  lost: new Promise(() => undefined),
  async release() {},
}
