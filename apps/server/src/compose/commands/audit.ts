import { auditBalances } from '../../billing/audit.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { openStoreForAudit } from '../../store/open/open-audit.ts'
import { journalDirectory } from '../services.ts'

export const audit: Command = {
  name: 'audit',
  summary: 'check that every balance adds up; the gateway may be running or stopped',
  details: 'Changes nothing. The exit code is 0 when everything adds up.',
  run: () => runAudit(readConfig(process.env)),
}

/**
 * Checks every balance and prints what does not add up. Returns the exit code: 0 when all balances are right. Changes
 * and creates nothing.
 */
async function runAudit(config: Config): Promise<number> {
  const logger = createLogger('warn')
  const store = await openStoreForAudit({ databaseUrl: config.DATABASE_URL, dataDir: config.dataDir })
  try {
    const report = await auditBalances({
      audit: store.audit,
      ledger: store.ledger,
      journalDirectory: journalDirectory(config),
      logger,
    })
    process.stdout.write(`${report.lines.join('\n')}\n`)
    return report.balanced ? 0 : 1
  } finally {
    await store.close()
  }
}
