import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { counter, type Family, gauge } from './family.ts'

const samplingMs = 20
const nanoseconds = 1e9
const percentiles = [50, 90, 99]

/** Process and event loop, under the names that Prometheus' own clients use. */
export interface ProcessMeter {
  read(): readonly Family[]
  close(): void
}

/** Samples the event loop from now on. */
export function createProcessMeter(): ProcessMeter {
  const startedAt = Date.now() / 1000 - process.uptime()
  const delay = monitorEventLoopDelay({ resolution: samplingMs })
  delay.enable()
  return {
    read: () => [...processFamilies(startedAt), ...loopFamilies(delay)],
    close: () => void delay.disable(),
  }
}

function processFamilies(startedAt: number): readonly Family[] {
  const { user, system } = process.cpuUsage()
  const memory = process.memoryUsage()
  const descriptors = openDescriptors()
  return [
    counter('process_cpu_seconds_total', 'User and system time of all threads.', [
      { labels: {}, value: (user + system) / 1e6 },
    ]),
    gauge('process_start_time_seconds', 'Start of the process, in Unix seconds.', 'min', startedAt),
    gauge('process_resident_memory_bytes', 'Resident memory.', 'sum', memory.rss),
    gauge('tollgate_heap_used_bytes', 'Memory of live objects of the main thread.', 'sum', memory.heapUsed),
    ...(descriptors === undefined
      ? []
      : [gauge('process_open_fds', 'Open file descriptors.', 'sum', descriptors)]),
    ...maxDescriptors(),
  ]
}

/** Since the last reading. */
function loopFamilies(delay: ReturnType<typeof monitorEventLoopDelay>): readonly Family[] {
  const seconds = (value: number) => (Number.isFinite(value) ? Math.max(0, value) / nanoseconds : 0)
  const family = gauge(
    'tollgate_event_loop_delay_seconds',
    'How late the event loop was, by percentile, since the last reading.',
    'max',
    [
      ...percentiles.map((percentile) => ({
        labels: { percentile: String(percentile) },
        value: seconds(delay.percentile(percentile)),
      })),
      { labels: { percentile: '100' }, value: delay.count === 0 ? 0 : seconds(delay.max) },
    ],
  )
  delay.reset()
  return [family]
}

/** `undefined` where the system does not list them. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

function maxDescriptors(): readonly Family[] {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined
      ? []
      : [gauge('process_max_fds', 'Most open file descriptors.', 'sum', Number(soft))]
  } catch {
    return []
  }
}

/** Workers of a machine, as their supervisor counts them. */
interface Supervised {
  readonly count: number
  readonly open: number
  readonly ends: number
}

/** Counts the workers of this machine. */
export function supervisorFamilies({ count, open, ends }: Supervised): readonly Family[] {
  return [
    gauge('tollgate_workers', 'Processes that serve on this machine, by WORKERS.', 'max', count),
    gauge('tollgate_workers_open', 'Those of them that take new connections now.', 'max', open),
    counter('tollgate_worker_ends_total', 'Workers that ended unasked and were started again.', [
      { labels: {}, value: ends },
    ]),
  ]
}
