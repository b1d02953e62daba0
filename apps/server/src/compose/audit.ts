import type { Config } from '../config.ts'
import { createLogger } from '../lib/logger.ts'
import { openStore } from '../store/open-store.ts'

/** Checks every balance and prints what does not add up. Returns the exit code: 0 when the books balance. */
export async function runAudit(config: Config): Promise<number> {
  const logger = createLogger('warn')
  const store = await openStore({ databaseUrl: config.DATABASE_URL, dataDir: config.dataDir, logger })
  try {
    const findings = await store.audit.findings()
    for (const { what, expected, found } of findings) {
      process.stdout.write(`${what}: expected ${expected}, found ${found}\n`)
    }
    if (findings.length > 0) return 1
    process.stdout.write('Everything adds up.\n')
    return 0
  } finally {
    await store.close()
  }
}
