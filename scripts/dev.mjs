import { spawn } from 'node:child_process'
import { runCommand } from './lib/command-error.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { bun } from './lib/runtime.mjs'

/**
 * The server, restarted on every change, and beside it the console as vite serves it, reloaded on every change.
 * Ends when either ends.
 */
await runCommand(async () => {
  await prepare()
  const parts = [
    spawn(bun, ['--watch', '--no-clear-screen', at('apps', 'server', 'src', 'main.ts')], {
      stdio: 'inherit',
    }),
    spawn(bun, ['--bun', 'run', '--cwd', at('apps', 'web'), 'dev'], { stdio: 'inherit' }),
  ]
  const first = await Promise.race(parts.map((part) => new Promise((done) => part.on('close', done))))
  for (const part of parts) part.kill('SIGTERM')
  return Number(first ?? 0)
})
