import { spawn } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'

/** Runs agents that people use against the gateway, offline; arguments choose programs and upstreams by their names. */
await runCommand(async () => {
  await prepare({ server: true })
  const run = spawn(bun, ['--no-orphans', at('tests', 'clients', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => run.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
