import { callBody } from '../requests.ts'

export interface PacedFigures {
  readonly calls: number
  readonly failed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface PacedLoad {
  readonly urls: readonly string[]
  /** Taken in turn: of a thousand keys each is used by every thousandth call. */
  readonly keys: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

/** Between two looks at how many calls are due. */
const stepMs = 4

/** Sends calls at a steady rate, each to another node, whether or not the earlier ones have ended. */
export async function loadPaced({ urls, keys, perSecond, seconds }: PacedLoad): Promise<PacedFigures> {
  const total = perSecond * seconds
  const times: number[] = []
  const running: Promise<void>[] = []
  let failed = 0

  async function call(index: number): Promise<void> {
    const sentAt = performance.now()
    const response = await fetch(`${urls[index % urls.length]}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[index % keys.length]}` },
      body: callBody,
    }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status !== 200) failed += 1
    times.push(performance.now() - sentAt)
  }

  const startedAt = performance.now()
  while (running.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond))
    while (running.length < due) running.push(call(running.length))
    await Bun.sleep(stepMs)
  }
  await Promise.all(running)
  const tookMs = performance.now() - startedAt
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return {
    calls: total,
    failed,
    perSecond: (total / tookMs) * 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}
