import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at } from '../lib/root.mjs'

/**
 * Watches over what a command starts: it ends with the command, however that ends.
 * @typedef {object} Guard
 * @property {string} folder of the command's own, for temporary files; it goes with the command
 * @property {(pid: number) => void} add
 * @property {(pid: number) => void} remove a process that ended
 * @property {() => Promise<void>} close ends what still runs and removes the folder
 */

/** @type {Guard | undefined} */
let running

/** The guard of this process: started when first wanted. */
export function guard() {
  running ??= startGuard()
  return running
}

/** Ends what this process has started and removes its folder; at once where it never started anything. */
export async function closeGuard() {
  const closing = running
  running = undefined
  await closing?.close()
}

/** Starts the guard in a session of its own, where neither a terminal nor the end of the command reaches it. @returns {Guard} */
function startGuard() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'))
  // The user that PostgreSQL runs as may pass through it.
  chmodSync(folder, 0o711)
  const watcher = spawn(process.execPath, [at('scripts', 'guard', 'main.mjs'), folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise((done) => watcher.once('exit', done).once('error', done))
  const { stdin } = watcher
  stdin.on('error', () => {})
  watcher.unref()
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return {
    folder,
    add: (pid) => void stdin.write(`+${pid}\n`),
    remove: (pid) => void stdin.write(`-${pid}\n`),
    async close() {
      watcher.ref()
      stdin.end()
      await ended
    },
  }
}
