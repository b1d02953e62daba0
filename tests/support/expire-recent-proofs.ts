import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Tollgate } from './server.ts'

/** Ages the proofs as if ten minutes had passed since every log-in: sessions stay, and have proven nothing recently. */
export async function expireRecentProofs(gateway: Tollgate): Promise<void> {
  await gateway.kill()
  const database = new Database(join(gateway.dataDir, 'tollgate.db'))
  database.run('update sessions set proven_at = 0')
  database.close()
  await gateway.start()
}
