const delaysMs = [0, 500, 1000, 2000, 5000, 10_000, 30_000] as const

/** How long a worker that ended by itself is left before the next start, by the times that this happened in a row before. */
export function restartDelayMs(failures: number): number {
  return delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0
}
