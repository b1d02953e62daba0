import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, root } from '../../../scripts/lib/root.mjs'
import { runGuarded } from '../../../scripts/lib/run.mjs'
import { bun } from '../../../scripts/lib/runtime.mjs'
import { type SmallRun, scripts } from './table.ts'

/** A script that runs on small data, by its file. */
export type Runnable = readonly [file: string, run: SmallRun]

export const runnable: readonly Runnable[] = Object.entries(scripts).filter(
  (entry): entry is [string, SmallRun] => typeof entry[1] !== 'string' && entry[1].needs !== false,
)

/** Runs a script once on small data, in a folder of its own. */
export async function runSmall([file, { args }]: Runnable) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-script-'))
  // A database that a script starts runs as a user of its own where root runs the script.
  chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  mkdirSync(data)
  const program = file.endsWith('.mjs') ? 'node' : bun
  const env = {
    ...process.env,
    BENCH_SMALL: '1',
    BENCH_STREAMS: '1',
    DRAIN_SECONDS: '0',
    TRACE_SETTLED_MS: '300',
  }
  const own = (await args?.({ folder: data })) ?? []
  return await runGuarded(program, [at(...file.split('/')), ...own], {
    cwd: root,
    env,
    folder,
    timeoutMs: 120_000,
  })
}
