import { spawn } from 'node:child_process'
import { bringTools } from './house/bring-tools.mjs'
import { prepare } from './house/prepare.mjs'
import { Refusal, runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'
import { tools } from './house/tools.mjs'

/** Compares Tollgate with nginx on this machine; arguments name the parts to run. */
await runCommand(async () => {
  await prepare({ server: true })
  const missing = await bringTools(['nginx', 'wrk'], (doing) => console.error(`tollgate: ${doing} …`))
  const names = missing.map((key) => tools[key].debian).join(' and ')
  if (missing.length > 0) throw new Refusal(`the bench needs ${names}; install them and try again`)
  const bench = spawn(bun, ['--no-orphans', at('bench', 'run.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => bench.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
