import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { auditBalances } from '../../billing/audit-balances.ts'
import { journalsAside } from '../../billing/journal/stopped-journal.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { stageBackup } from '../../operations/backup/stage-backup.ts'
import { type AuditStoreConfig, openStoreForAudit } from '../../store/engine/open/open-audit.ts'
import { workerJournals } from '../node-journals.ts'
import { journalDirectory } from '../services.ts'

export const audit: Command = {
  name: 'audit',
  operands: ['FILE?'],
  summary: 'check that every balance adds up; the gateway may be running or stopped',
  details: `With FILE, a backup, it unpacks that into the system's temporary folder (TMPDIR) and checks what a restore of it would
give. Lists what administrators, and options that they changed, gave to accounts of their invitation chain or that they
opened. Changes nothing. The exit code is 0 when everything adds up.`,
  run: ({ operands: [file] }) =>
    file === undefined ? runAudit(readConfig(process.env)) : auditBackup(resolve(file)),
}

async function auditBackup(file: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-audit-'))
  try {
    const { about, calls } = await stageBackup(file, directory, createLogger('warn'))
    process.stdout.write(`${file} is as of ${about.createdAt}, with ${calls} settled calls of the journal.\n`)
    return await auditDirectory({ dataDir: directory, journalDirectory: join(directory, 'journal') })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Checks every balance and prints what does not add up. Returns the exit code: 0 when all balances are right. Changes
 * and creates nothing.
 */
function runAudit(config: Config): Promise<number> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  return auditDirectory({ databaseUrl, dataDir, journalDirectory: journalDirectory(config) })
}

interface Location extends AuditStoreConfig {
  readonly journalDirectory: string
}

async function auditDirectory({ journalDirectory, ...location }: Location): Promise<number> {
  const logger = createLogger('warn')
  const store = await openStoreForAudit(location)
  try {
    const aside = journalsAside(location.dataDir, journalDirectory)
    const report = await auditBalances({
      ...store,
      journalDirectory,
      workerJournals: workerJournals(location.dataDir),
      journalsAside: aside,
      logger,
    })
    process.stdout.write(`${report.lines.join('\n')}\n`)
    return report.balanced ? 0 : 1
  } finally {
    await store.close()
  }
}
