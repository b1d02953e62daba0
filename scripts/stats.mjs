import { spawn } from 'node:child_process'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'

/** Prints the measures of the code base; arguments go to it. */
await runCommand(async () => {
  await prepare()
  const stats = spawn(bun, [at('scripts', 'stats', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => stats.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
