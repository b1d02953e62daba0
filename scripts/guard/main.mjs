import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { endProcesses } from './end-processes.mjs'

/**
 * Outlives the command that started it, and ends what that command leaves: its standard input is a pipe of the command, which names each
 * process that it starts (`+123`) and that ended (`-123`). The end of the pipe is the end of the command, even by SIGKILL.
 */
const folder = process.argv[2] ?? ''
/** @type {Set<number>} */
const leaders = new Set()
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) leaders.add(pid)
  else leaders.delete(pid)
}
await endProcesses({ leaders: [...leaders], folder })
unmountBelow(folder)
rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })

/** A suite that fills a small disk mounts one. @param {string} home */
function unmountBelow(home) {
  if (!existsSync('/proc/self/mounts')) return
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const position = line.split(' ')[1] ?? ''
    if (position.startsWith(`${home}/`)) spawnSync('umount', [position])
  }
}
