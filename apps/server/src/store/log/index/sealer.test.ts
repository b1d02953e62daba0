import { describe, expect, it } from 'bun:test'
import type { SealResult } from './seal.ts'
import { createSealer } from './sealer.ts'

/** A log that seals ten rows at a time. */
function logOf(
  rows: number,
  sealResult?: () => SealResult | undefined,
  combine: () => Promise<boolean> = async () => false,
) {
  const log = { unsealed: rows, blocks: 0, calls: 0 }
  const warnings: unknown[] = []
  const sealer = createSealer({
    blockRows: 10,
    logger: { warn: (...stated: unknown[]) => void warnings.push(stated) },
    combine,
    async seal() {
      log.calls += 1
      await Bun.sleep(0)
      const other = sealResult?.()
      if (other !== undefined) return other
      if (log.unsealed < 10) return { sealed: false, unsealed: log.unsealed }
      log.unsealed -= 10
      log.blocks += 1
      return { sealed: true, unsealed: 0 }
    },
  })
  const add = (count: number) => {
    log.unsealed += count
    sealer.rowsAdded(count)
  }
  return { log, sealer, add, warnings }
}

/** Waits for background work, and for its end. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await Bun.sleep(1)
  await Bun.sleep(5)
}

describe('createSealer', () => {
  it('starts with the unsealed rows, and then seals when there may be a block', async () => {
    const { log, sealer, add } = logOf(35)
    add(0)
    await until(() => log.calls === 4)
    expect(log).toEqual({ unsealed: 5, blocks: 3, calls: 4 })
    add(4)
    expect(log.calls).toBe(4)
    add(1)
    await until(() => log.blocks === 4)
    expect(log.unsealed).toBe(0)
    await sealer.close()
  })

  it('combines blocks when none is left to seal, and goes on with rows that come meanwhile', async () => {
    let spans = 2
    const { log, sealer, add } = logOf(15, undefined, async () => {
      if (spans === 2) add(7)
      return spans-- > 1
    })
    add(0)
    await until(() => log.blocks === 2)
    expect(spans).toBeLessThan(1)
    await sealer.close()
  })

  it('tries again when another transaction held the lock', async () => {
    let busy = 1
    const { log, sealer, add } = logOf(10, () => (busy-- > 0 ? { sealed: false, unsealed: 10 } : undefined))
    add(0)
    await until(() => log.blocks === 1)
    await sealer.close()
  })

  it('logs a failure, and tries again with the next rows', async () => {
    let failures = 1
    const { log, sealer, add, warnings } = logOf(10, () => {
      if (failures-- > 0) throw new Error('disk full')
      return undefined
    })
    add(0)
    await until(() => warnings.length === 1)
    add(1)
    await until(() => log.blocks === 1)
    await sealer.close()
  })

  it('seals nothing once it is closed', async () => {
    const { log, sealer, add } = logOf(1000)
    add(0)
    await sealer.close()
    const { blocks } = log
    expect(blocks).toBeLessThan(100)
    add(10)
    await Bun.sleep(5)
    expect(log.blocks).toBe(blocks)
  })
})
