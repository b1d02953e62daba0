import { spawn } from 'node:child_process'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'

/** Measures what it costs to say streams anew in other formats. */
await runCommand(async () => {
  await prepare()
  const bench = spawn(bun, ['--no-orphans', at('bench', 'formats.ts')], { stdio: 'inherit' })
  return await new Promise((done) => bench.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
