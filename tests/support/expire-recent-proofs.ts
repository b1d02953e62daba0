import { openBeside } from './processes/open-beside.ts'
import type { Tollgate } from './server.ts'

/** Ages the proofs as if ten minutes had passed since every log-in: sessions stay, and have proven nothing recently. */
export async function expireRecentProofs(gateway: Tollgate): Promise<void> {
  await gateway.kill()
  const database = openBeside(gateway.dataDir)
  database.run('update sessions set proven_at = 0')
  database.close()
  await gateway.start()
}
