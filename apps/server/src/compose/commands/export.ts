import { resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { thisProgram } from '../../lib/program.ts'
import { exportInstallation } from '../../operations/backup/export/export-installation.ts'
import { installationRecord } from '../../operations/backup/export/stream-export.ts'
import { countWaiting } from '../../operations/backup/waiting-calls.ts'
import { openFileSource } from '../../store/engine/copy/file-source.ts'
import { openServerSource } from '../../store/engine/copy/server-source.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { workerBacklogs } from '../node-journals.ts'
import { journalDirectory } from '../services.ts'
import { type Installation, shell, withInstallation } from './installation.ts'
import { printProgress } from './print-progress.ts'

export const exportCommand: Command = {
  name: 'export',
  writesData: true,
  operands: ['DIR'],
  options: {
    'with-keys': { help: 'also API keys, keys of channels, secret settings and password hashes, in clear' },
  },
  summary: 'write everything into a folder in open formats, for another system; the gateway may be running',
  details: `DIR is made: a file of JSON lines for each of accounts, keys, channels, settings, codes, orders, ledger, charges, log and so on;
about.json says what each holds and what the numbers mean, SHA256SUMS proves them. All of it is as of one moment.

Secrets are left out unless --with-keys is given: then whoever has the folder can call with every key and at every upstream. It takes
the secret of the installation, and the audit log has it.`,
  async run({ operands: [directory = ''], switches }) {
    const config = readConfig(process.env)
    await withInstallation(config, (installation) =>
      runExport(config, installation, resolve(directory), switches.has('with-keys')),
    )
    return 0
  },
}

async function runExport(
  config: Config,
  { store, vault, auditLog }: Installation,
  directory: string,
  withKeys: boolean,
): Promise<void> {
  const { DATABASE_URL: url, dataDir } = config
  const logger = createLogger('warn')
  const ofWorkers = await workerBacklogs(dataDir, store.ledger, logger)
  const waiting =
    (await countWaiting(journalDirectory(config), store.ledger, logger)) +
    ofWorkers.reduce((sum, { calls }) => sum + calls, 0)
  // First: what was written in clear must be known whatever comes after.
  if (withKeys) await auditLog.record(shell, installationRecord(withKeys))
  const source = url === undefined ? openFileSource(databaseFile(dataDir)) : await openServerSource(url)
  try {
    const { files, rows } = await exportInstallation({
      source,
      directory,
      open: withKeys ? vault.open : undefined,
      version: thisProgram.version,
      now: new Date(),
      progress: printProgress(),
    })
    process.stdout.write(`${directory} has ${rows} rows in ${files} files: about.json says what they are.\n`)
  } finally {
    await source.close()
  }
  process.stdout.write(withKeys ? secretNote : plainNote)
  if (waiting > 0) process.stdout.write(waitingNote(waiting))
}

const secretNote =
  'It has API keys and keys of channels in clear: anyone with the folder can spend them. Delete it when it is of no more use.\n'
const plainNote = 'It has no secrets; --with-keys adds API keys, keys of channels and secret settings.\n'

function waitingNote(waiting: number): string {
  return `${waiting} settled calls wait in the journal and are not in it: they are once the gateway has written them (a start does).\n`
}
