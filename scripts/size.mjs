import { spawn } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { installTools } from './lib/install-tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'

/** Opens every page of the built console in Chromium and prints what its first load brings; arguments go to it. */
await runCommand(async () => {
  await prepare({ server: true, console: true })
  await installTools(['chromium'], (doing) => console.error(`tollgate: ${doing} …`))
  const size = spawn(bun, ['--no-orphans', at('tests', 'size', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => size.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
