import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programCommand } from '../program.ts'
import { until } from '../until.ts'

/** Runs a command and ends it with SIGKILL as soon as `enough`; the command may have ended before. */
export async function killedOnce(
  args: readonly string[],
  env: Record<string, string>,
  enough: () => boolean,
): Promise<void> {
  const running = Bun.spawn(programCommand(args), {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await until(async () => (running.exitCode !== null || enough() ? true : undefined), 30_000)
  running.kill('SIGKILL')
  await running.exited
}

/** Rows that an import has noted as taken, in this folder. */
export function takenRows(dataDir: string): number {
  const path = join(dataDir, 'tollgate.db')
  if (!existsSync(path)) return 0
  try {
    using database = new Database(path, { readonly: true })
    const row = database.query('select count(*) as n from imported_rows').get() as { n: number }
    return row.n
  } catch {
    // Its tables are not there yet.
    return 0
  }
}
