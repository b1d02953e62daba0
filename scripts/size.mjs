import { spawn } from 'node:child_process'
import { bringTools } from './house/bring-tools.mjs'
import { prepare } from './house/prepare.mjs'
import { runCommand } from './house/refusal.mjs'
import { at } from './house/root.mjs'
import { exitCodeOf } from './house/run.mjs'
import { bun } from './house/runtime.mjs'

/** Opens every page of the built console in Chromium and prints what its first load brings; arguments go to it. */
await runCommand(async () => {
  await prepare({ server: true, console: true })
  await bringTools(['chromium'], (doing) => console.error(`tollgate: ${doing} …`))
  const size = spawn(bun, ['--no-orphans', at('tests', 'size', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  return await new Promise((done) => size.on('close', (code, signal) => done(exitCodeOf(code, signal))))
})
