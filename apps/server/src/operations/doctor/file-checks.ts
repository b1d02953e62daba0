import { existsSync } from 'node:fs'
import { quickCheck } from '../../store/engine/copy-database.ts'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { type Finding, fail, ok } from './finding.ts'

/** Checks that the pages of the SQLite file fit together, whether or not its gateway runs. */
export async function checkFile(dataDir: string): Promise<readonly Finding[]> {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return []
  const found = quickCheck(file)
  if (found === undefined) return [ok('database file', `a quick check finds ${file} whole`)]
  return [
    fail(
      'database file',
      `${file} is damaged (${found}): settled calls stay in the journal; stop the gateway and run tollgate repair`,
    ),
  ]
}
