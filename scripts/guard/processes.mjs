import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * A process of this machine.
 * @typedef {object} RunningProcess
 * @property {number} pid
 * @property {number} parent
 * @property {number} group
 * @property {number} session the group where the system does not say it
 * @property {string} id number and time of the start: no later process has the same
 * @property {string} environment as it was at its start; empty where it may not be read
 */

/** @returns {readonly RunningProcess[]} without those that ended and wait for their parent */
export function listProcesses() {
  return process.platform === 'linux' ? listByProc() : listByPs()
}

function listByProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`)
      // The name of the program, in parentheses, may hold anything.
      const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state === undefined || state === '' || state === 'Z') return []
      return [
        {
          pid: Number(name),
          parent: Number(parent),
          group: Number(group),
          session: Number(session),
          id: `${name} ${rest[15]}`,
          environment: read(`/proc/${name}/environ`),
        },
      ]
    })
}

/**
 * The processes above this one up to npm, the nearest first. In a run of CI the one that called npm is the last: nobody else waits for
 * the result.
 * @returns {readonly number[]} empty when npm has ended already
 */
export function lineage() {
  /** @type {number[]} */
  const above = []
  for (let pid = process.ppid; pid > 0; pid = parentOf(pid)) {
    above.push(pid)
    if (read(`/proc/${pid}/cmdline`).startsWith('npm')) return isCi ? [...above, parentOf(pid)] : above
  }
  return process.ppid === 1 ? [] : [process.ppid]
}

const isCi = process.env.CI === 'true' || process.env.CI === '1'

/** @param {number} pid @returns {number} 0 where the system does not say it */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

/** A process may have ended since it was listed, or be another user's. @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listByPs() {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, start] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? []
    if (state === undefined || state.startsWith('Z')) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(group),
        id: `${pid} ${start}`,
        environment: '',
      },
    ]
  })
}

/**
 * The processes that belong to a piece of work, however they were started: the leaders, what is in a session or a group of theirs, what
 * has the folder of the work in its environment, and all that descends from these. Never this process.
 * @param {readonly RunningProcess[]} all
 * @param {{ leaders: ReadonlySet<number>, folder?: string }} work
 */
export function membersOf(all, { leaders, folder }) {
  const isSeed = (/** @type {RunningProcess} */ { pid, group, session, environment }) =>
    leaders.has(pid) ||
    leaders.has(group) ||
    leaders.has(session) ||
    (folder !== undefined && environment.includes(`=${folder}`))
  const members = new Set(all.filter(isSeed).map(({ pid }) => pid))
  for (let known = -1; known !== members.size; ) {
    known = members.size
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid)
  }
  return all.filter(({ pid }) => members.has(pid) && pid !== process.pid)
}
