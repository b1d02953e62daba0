import { resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { createLogger } from '../../lib/logger.ts'
import { BackupError } from '../../operations/backup/errors.ts'
import { type RepairedDatabase, repairDatabase } from '../../operations/backup/repair-database.ts'
import { workedOutTables } from '../../store/engine/repair/rebuild.ts'
import type { SalvagedTable } from '../../store/engine/repair/salvage.ts'
import { journalDirectory } from '../services.ts'

export const repair: Command = {
  name: 'repair',
  writesData: true,
  options: {
    backup: { value: 'FILE', help: 'a backup of this installation: rows that are lost come from it' },
  },
  summary: 'save what can be saved of a damaged SQLite file; the gateway must be stopped',
  details: `Reads every page of the file that is whole, makes a new one of it, works out again what follows from the rest (sums, indexes,
lost balances), and writes the settled calls of the journal into it, each once. Says for each table how many rows were saved
and how many are lost. The damaged file stays in a folder "damaged-..." of DATA_DIR. Needs free space for the database
once more. Nothing changes before the new file is whole.`,
  async run({ values }) {
    return await runRepair(readConfig(process.env), values['backup'])
  },
}

async function runRepair(config: Config, backup: string | undefined): Promise<number> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  if (databaseUrl !== undefined)
    throw new BackupError(
      'repair is for a SQLite file. Restore a dump of PostgreSQL, or rebuild what its log names (REINDEX, or a standby that is whole).',
    )
  const repaired = await repairDatabase({
    dataDir,
    journalDirectory: journalDirectory(config),
    backup: backup === undefined ? undefined : resolve(backup),
    logger: createLogger('warn'),
    now: new Date(),
  })
  const lines =
    repaired === undefined ? [`The database in ${dataDir} is whole: nothing was changed.`] : linesOf(repaired)
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

function linesOf({
  tables,
  fromOlder,
  rebuilt,
  found,
  differences,
  hasRoot,
  fault,
  aside,
}: RepairedDatabase): string[] {
  const saved = [...tables.values()].reduce((sum, table) => sum + table.saved, 0)
  const damaged = [...tables].filter(([, { damagedPages }]) => damagedPages > 0)
  const pages = damaged.reduce((sum, [, table]) => sum + table.damagedPages, 0)
  return [
    `The file was damaged (${fault}).`,
    `${saved} rows of ${tables.size} tables were saved; ${damaged.length === 0 ? 'no row is lost' : `${pages} pages of ${damaged.length} tables are lost`}.`,
    ...damaged.map(([name, table]) => lineOf(name, table, fromOlder.get(name) ?? 0)),
    ...rebuilt,
    ...(found.calls > 0
      ? [`${found.calls} settled calls (quota ${found.quota}) of the journal were written, each once.`]
      : []),
    ...found.left.map(
      ({ directory, reason }) => `The calls in ${directory} were left, because ${reason.replace(/\.$/, '')}.`,
    ),
    differences === 0
      ? 'Everything adds up.'
      : `${differences} figures do not add up because of what is lost: tollgate audit lists them.`,
    ...(hasRoot
      ? []
      : [
          'No super administrator was saved: put the damaged file back and run repair with --backup, or restore a backup.',
        ]),
    `The damaged file is in ${aside.join(' and ')}. Start the gateway.`,
  ]
}

function lineOf(name: string, { saved, lost }: SalvagedTable, fromOlder: number): string {
  return [
    `${name}: ${saved} rows saved, about ${lost} lost`,
    ...(fromOlder > 0 ? [`${fromOlder} taken from the backup`] : []),
    ...(workedOutTables.has(name) ? ['worked out again'] : []),
  ].join(', ')
}
