import { spawn } from 'node:child_process'
import { CommandError, runCommand } from './lib/command-error.mjs'
import { installTools } from './lib/install-tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { exitCodeOf } from './lib/run.mjs'
import { bun } from './lib/runtime.mjs'
import { tools } from './lib/tools.mjs'

/** Compares Tollgate with nginx on this machine; arguments name the parts to run. */
await runCommand(async () => {
  await prepare({ server: true })
  const missing = await installTools(['nginx', 'wrk'], (doing) => console.error(`tollgate: ${doing} …`))
  const names = missing.map((key) => tools[key].debian).join(' and ')
  if (missing.length > 0) throw new CommandError(`the bench needs ${names}; install them and try again`)
  const bench = spawn(bun, ['--no-orphans', at('bench', 'run.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => bench.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
