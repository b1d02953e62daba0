import { spawn } from 'node:child_process'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'

/** Runs agents that people use against the gateway, offline; arguments choose programs and upstreams by their names. */
await runCommand(async () => {
  await prepare({ server: true })
  const run = spawn(bun, ['--no-orphans', at('tests', 'clients', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => run.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
