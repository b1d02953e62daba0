import { spawn } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'

/** Measures what it costs to say streams anew in other formats. */
await runCommand(async () => {
  await prepare()
  const bench = spawn(bun, ['--no-orphans', at('bench', 'formats.ts')], { stdio: 'inherit' })
  return await new Promise((done) => bench.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
