import type { Pool, PoolConfig } from 'pg'

const bigint = 20

/**
 * A pool whose 64-bit integers are numbers. Nothing is asked of the session at its start: poolers between us and the
 * server refuse that.
 */
export async function createPool(url: string, config: PoolConfig): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'tollgate',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === bigint ? safeInteger : pg.types.getTypeParser(type, format ?? 'text'),
    },
    ...config,
  } as PoolConfig)
  // An idle connection that breaks is replaced by the pool; whoever asks next gets a fault if that fails too.
  pool.on('error', () => undefined)
  return pool
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${text} in the database is beyond the safe integers`)
  return number
}
