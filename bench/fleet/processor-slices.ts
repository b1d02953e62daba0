import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Control groups of this run: each holds processes to a part of a core. */
export interface Slices {
  /**
   * Puts a process, with all its threads, into a group of its own.
   * @param share the part of a core that it gets at most, from 1/250 to 1
   */
  limit(pid: number, share: number): void
  /** Gives all processes whole cores again. */
  close(): void
}

/** Time for which a process runs in each period, in µs: a tick of the kernel, which notices no sooner that a share is used up. */
const quotaUs = 4000
/** The kernel takes no longer period. */
const maxPeriodUs = 1_000_000

/** The folder of the processor's control groups, and the files that limit one. */
interface Hierarchy {
  readonly folder: string
  write(group: string, runUs: number, periodUs: number): void
}

/** Returns what makes slices of a core; `undefined` where this account may not, or the system has no such groups. */
export function openSlices(): Slices | undefined {
  const hierarchy = findHierarchy()
  if (hierarchy === undefined) return undefined
  const groups: string[] = []
  const make = (): string => {
    const group = join(hierarchy.folder, `tollgate-bench-${process.pid}-${groups.length}`)
    mkdirSync(group)
    groups.push(group)
    return group
  }
  const close = () => {
    for (const group of groups.splice(0)) {
      for (const pid of processesIn(group)) moveTo(hierarchy.folder, pid)
      rmdirSync(group)
    }
  }
  try {
    hierarchy.write(make(), quotaUs, maxPeriodUs)
    close()
  } catch {
    return undefined
  }
  return {
    limit(pid, share) {
      const group = make()
      hierarchy.write(group, quotaUs, Math.min(maxPeriodUs, Math.round(quotaUs / share)))
      moveTo(group, pid)
    },
    close,
  }
}

function processesIn(group: string): readonly string[] {
  return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
}

function moveTo(group: string, pid: number | string): void {
  writeFileSync(join(group, 'cgroup.procs'), String(pid))
}

function findHierarchy(): Hierarchy | undefined {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
  // https://docs.kernel.org/scheduler/sched-bwc.html
  const [, first] =
    mounts.find(([, , kind, how = '']) => kind === 'cgroup' && how.split(',').includes('cpu')) ?? []
  if (first !== undefined)
    return {
      folder: first,
      write(group, runUs, periodUs) {
        writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
        writeFileSync(join(group, 'cpu.cfs_quota_us'), String(runUs))
      },
    }
  // https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
  const [, second] = mounts.find(([, , kind]) => kind === 'cgroup2') ?? []
  if (second === undefined) return undefined
  return {
    folder: second,
    write(group, runUs, periodUs) {
      writeFileSync(join(second, 'cgroup.subtree_control'), '+cpu')
      writeFileSync(join(group, 'cpu.max'), `${runUs} ${periodUs}`)
    },
  }
}
