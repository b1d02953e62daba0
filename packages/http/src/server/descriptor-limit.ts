import { readFileSync } from 'node:fs'

/** Descriptors that are kept free of callers: their calls need some for upstreams, and the process for files. */
const reservedShare = 1 / 4
const leastReserved = 16

/**
 * The first descriptor that no caller's connection may have. The system gives out the lowest that is free, so the number
 * of a new one tells how many are in use, whatever for.
 * @param limits text of `/proc/self/limits`
 */
export function callerDescriptorLimit(limits = ownLimits()): number {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  if (soft === undefined) return Number.POSITIVE_INFINITY
  const limit = Number(soft)
  return limit - Math.max(leastReserved, Math.ceil(limit * reservedShare))
}

/** Empty where the system does not tell. */
function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
