import { loadCore, residentMegabytes, runOnLoadCore, startPinned } from './processes.ts'

export interface StreamFigures {
  readonly ms: number
  readonly events: number
  readonly failed: number
}

/** Starts the streaming upstream on the load's core and returns its address. */
export async function startStreamUpstream(): Promise<string> {
  const child = startPinned(loadCore, [process.execPath, 'bench/stream-upstream.ts'])
  const port = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (data: Buffer) => resolve(String(data).trim())),
  )
  return `http://127.0.0.1:${port}`
}

export async function loadStreams(
  target: string,
  key: string,
  options: { streams: number; total?: number; abortAfter?: number },
): Promise<StreamFigures> {
  const output = await runOnLoadCore([
    'env',
    `TARGET=${target}`,
    `KEY=${key}`,
    `STREAMS=${options.streams}`,
    `TOTAL=${options.total ?? options.streams}`,
    `ABORT_AFTER=${options.abortAfter ?? 0}`,
    process.execPath,
    'bench/stream-load.ts',
  ])
  return JSON.parse(output) as StreamFigures
}

/** Highest resident memory of `pid` in MB while `work` runs. */
export async function peakMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  let peak = residentMegabytes(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid))
  }, 50)
  try {
    return { result: await work(), peak }
  } finally {
    clearInterval(timer)
  }
}
