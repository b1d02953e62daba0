import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses, membersOf } from './processes.mjs'

/** Time for a server to end in good order, and the system to end what was killed. */
const graceMs = 5000
const pauseMs = 25

/**
 * Ends every process of a piece of work: by SIGTERM, and by SIGKILL what has not ended after a grace. What they start meanwhile ends too.
 * @param {{ leaders: readonly number[], folder?: string }} work see `membersOf`
 */
export async function endProcesses({ leaders, folder }) {
  /** @type {Map<string, number>} Of each member that was seen; one whose parent ended is found by no lineage later. */
  const seen = new Map()
  const startedAt = performance.now()
  for (let elapsedMs = 0; elapsedMs < 2 * graceMs; elapsedMs = performance.now() - startedAt) {
    const all = listProcesses()
    const known = all.filter(({ id }) => seen.has(id)).map(({ pid }) => pid)
    const members = membersOf(all, { leaders: new Set([...leaders, ...known]), ...(folder && { folder }) })
    if (members.length === 0) return
    for (const { id, pid } of members) {
      if (elapsedMs > graceMs) signal(pid, 'SIGKILL')
      else if (!seen.has(id)) signal(pid, 'SIGTERM')
      seen.set(id, pid)
    }
    await sleep(pauseMs)
  }
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
