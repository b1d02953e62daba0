import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

/** A disk of our own that can be filled: needs a system that lets us mount one. */
function mountSmallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory]).status === 0
  if (!mounted) rmSync(directory, { recursive: true, force: true })
  return mounted ? directory : undefined
}

/** Takes all the space there is. */
function fillUp(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(256 * 1024)
  for (let size = block.length; size >= 512; size = size / 2) {
    try {
      while (writeSync(file, block, 0, size) === size);
    } catch {
      // This size no longer fits; a smaller one may.
    }
  }
  closeSync(file)
}

const disk = mountSmallDisk()
let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string

describe.skipIf(disk === undefined)('a disk that fills up', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(
      respond({
        text: 'word '.repeat(60),
        events: 60,
        eventDelayMs: 50,
        usage: { promptTokens: 20, completionTokens: 10 },
      }),
    )
    gateway = await startTollgate({ dataDir: disk ?? '', env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'disk', base_url: upstream.url, models: 'gpt-4o' })
    key = (await operator.addKey()).key
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    if (disk !== undefined) spawnSync('umount', [disk])
  })

  const call = (stream: boolean) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'gpt-4o', stream, messages: [{ role: 'user', content: 'go' }] }),
    })

  it('refuses new calls with 503, charges every response under way, and recovers by itself', async () => {
    const before = await operator.quota()
    const underWay = Array.from({ length: 8 }, async () => (await call(true)).text())
    await until(() => upstream.open().length === 8)
    const ballast = join(disk ?? '', 'ballast')
    fillUp(ballast)

    const refused = await until(async () => {
      const response = await call(false)
      const text = await response.text()
      return response.status === 200 ? undefined : { status: response.status, text }
    })
    expect(refused.status).toBe(503)
    expect(JSON.parse(refused.text).error.code).toBe('not_admitting')
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503)
    for (const text of await Promise.all(underWay)) expect(text).toContain('[DONE]')
    const served = upstream.calls.length

    rmSync(ballast)
    await until(async () => ((await call(false)).status === 200 ? true : undefined), 20_000)
    await operator.consumption(served + 1, 20_000)
    const rows = await operator.consumed()
    expect(rows).toBe(upstream.calls.length)
    // (20 + 10 × 4) × 1.25
    expect(before - (await operator.quota())).toBe(rows * 75)
    await gateway.kill()
    expect((await gateway.run('audit')).output).toContain('adds up')
    await gateway.start()
  })
})
