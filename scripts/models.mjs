import { spawn } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'

/** Refreshes the table of models and their prices from a file; arguments go to it. Nothing is fetched. */
await runCommand(async () => {
  await prepare({})
  const refresh = spawn(bun, [at('scripts', 'models', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => refresh.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
