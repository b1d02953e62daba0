import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

/** Reads a file of the system; `undefined` where it has none. */
type Read = (path: string) => string | undefined

const groups = '/sys/fs/cgroup'

/**
 * Counts the cores that this process may use: those that it may run on, and no more than its control group, or one above it, has time for
 * (`docker run --cpus`, a limit of Kubernetes, `CPUQuota=` of systemd). A part of a core counts as one.
 */
export function availableCores(cores = availableParallelism(), read: Read = readOrNothing): number {
  const quotas = [...unifiedQuotas(read), ...formerQuotas(read)]
  return Math.max(1, Math.min(cores, ...quotas.map(Math.ceil)))
}

/** Quotas of the group and of all above it, in cores, cgroups(7) version 2. In a container the group is the root. */
function unifiedQuotas(read: Read): readonly number[] {
  const own = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup') ?? '')?.[1] ?? '/'
  return ancestorsOf(own).flatMap((path) => {
    const [, quota, period] = /^(\d+) (\d+)/.exec(read(join(groups, path, 'cpu.max')) ?? '') ?? []
    return quota === undefined || period === undefined ? [] : [Number(quota) / Number(period)]
  })
}

/** Version 1. */
function formerQuotas(read: Read): readonly number[] {
  const own = /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(\/.*)$/m.exec(read('/proc/self/cgroup') ?? '')?.[1] ?? '/'
  return ancestorsOf(own).flatMap((path) => {
    const of = (name: string) => Number(read(join(groups, 'cpu', path, `cpu.cfs_${name}_us`)) ?? '-1')
    const [quota, period] = [of('quota'), of('period')]
    return quota > 0 && period > 0 ? [quota / period] : []
  })
}

function ancestorsOf(path: string): readonly string[] {
  return path === '/' || path === '.' ? ['/'] : [path, ...ancestorsOf(dirname(path))]
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
