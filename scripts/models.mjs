import { spawn } from 'node:child_process'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'

/** Refreshes the table of models and their prices from a file; arguments go to it. Nothing is fetched. */
await runCommand(async () => {
  await prepare({})
  const refresh = spawn(bun, [at('scripts', 'models', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => refresh.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
