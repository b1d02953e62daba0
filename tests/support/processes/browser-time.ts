import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserTimesFile } from '../../../scripts/times/processor-time.mjs'

/** Length of a clock tick in which Linux counts the time of a process. */
const tickMs = 10

/**
 * Writes down what the processes of this process's browsers have taken, before a browser closes: its pages run in processes that end
 * unmeasured with it. Pages that closed before are in the time of the process that started them.
 */
export function recordBrowserTime(): void {
  if (process.platform !== 'linux') return
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
  const ours = new Set([process.pid])
  for (let known = 0; known !== ours.size; ) {
    known = ours.size
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
  }
  let ms = 0
  for (const { id, ticks } of all.filter(({ pid, isPart }) => isPart && ours.has(pid))) {
    ms += (ticks - (recorded.get(id) ?? 0)) * tickMs
    recorded.set(id, ticks)
  }
  appendFileSync(join(tmpdir(), browserTimesFile), `${ms}\n`)
}

/** Ticks that are written down of each process: another browser may be open when one closes. */
const recorded = new Map<string, number>()

/** Reads one process; `isPart` of a browser, but not its first process. */
function readProcess(name: string) {
  const stat = read(`/proc/${name}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return {
    pid: Number(name),
    id: `${name} ${fields[19]}`,
    parent: Number(fields[1]),
    isPart: read(`/proc/${name}/cmdline`).includes('--type='),
    ticks: (user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0),
  }
}

/** Reads a file of a process, which may have ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
