import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { slowReadsOver } from '../../support/console/big-tables.ts'
import { type ConsoleRead, isExport } from '../../support/console/every-read.ts'
import { operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(90_000))

const rows = 150_000
const contentLength = 1200
const megabyte = 1024 * 1024
/** Limit of the event loop's processor time for a read of the console. The nightly `console/big-tables` has more calls, and other bars. */
const maxLoopMs = { sum: 20, exported: 100, held: 20 }

let gateway: Tollgate
let headers: Record<string, string>
/** Length of the whole export, in bytes. */
let length = 0

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  await operate(gateway.url)
  await gateway.kill()
  fillLog()
  await gateway.start()
  headers = await session()
})
afterAll(() => gateway?.stop())

/** Rows as an import leaves them: with texts of their own. */
function fillLog(): void {
  const database = openBeside(gateway.dataDir)
  database.run(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
      insert into logs (created_at, type, user_id, token_id, channel_id, quota, prompt_tokens, completion_tokens,
        use_time_seconds, is_stream, token_name, model, "group", username, request_id, content, other)
      select 1700000000 + n, 4, 1 + n % 50, 0, 0, n, 0, 0, 0, 0, '', '', 'default', 'ann', 'r-' || n,
        hex(randomblob(${contentLength / 2})), '' from numbers`,
  )
  database.close()
}

async function session(): Promise<Record<string, string>> {
  const reply = await fetch(`${gateway.url}/api/user/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'root', password: 'correct-horse-battery' }),
  })
  const { data } = (await reply.json()) as { data: { id: number } }
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { cookie, 'New-Api-User': String(data.id) }
}

/** Resident memory of the gateway, in MB. */
function memory(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

describe('an export of a large log', () => {
  it('has every row once, newest first, in the caller’s language and time, behind a byte order mark', async () => {
    const path = `${gateway.url}/api/log/export?type=4&utc_offset=480`
    const reply = await fetch(path, { headers: { ...headers, 'accept-language': 'zh' } })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toContain('tollgate-log-until-')
    const bytes = new Uint8Array(await reply.arrayBuffer())
    length = bytes.length
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).split('\r\n').slice(0, -1)
    expect(lines[0]).toContain('时间')
    const ids = lines.slice(1).map((line) => Number(line.split(',')[0]))
    expect(ids.filter((id) => id <= rows)).toEqual(Array.from({ length: rows }, (_, index) => rows - index))
    expect(lines[1]).toContain('+08:00')
  })

  it('uses constant memory while it is read slowly, and ends when its reader disconnects', async () => {
    // What one export needs is there already, by the one above.
    const before = memory()
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    const fields = Object.entries({ host: 'gateway', connection: 'close', ...headers })
    socket.write(
      `GET /api/log/export HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    )
    let read = 0
    let limit = before
    socket.on('data', (chunk) => {
      read += chunk.length
      socket.pause()
    })
    // A piece now and then: less than half of the file, over the time in which all of it could have been made.
    for (let turn = 0; turn < 40; turn += 1) {
      await Bun.sleep(50)
      limit = Math.max(limit, memory())
      socket.resume()
    }
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(length / 2)
    // Half of the file would have to be held for more: what the collector has not looked at yet is less.
    expect((limit - before) * megabyte).toBeLessThan(length / 2)
    socket.destroy()
    // The next one is served at once: no export continues without a reader.
    const reply = await fetch(`${gateway.url}/api/log/self/export?type=4`, { headers })
    const text = await reply.text()
    expect(text.split('\r\n').filter((line) => line.includes(',ann,'))).toEqual([])
    expect(gateway.logs()).not.toContain('broke off')
  })
})

describe('a read of the console over large tables', () => {
  // `console/big-tables`, which runs by its name, has every read and filter on both databases.
  const filled = { rows: 40_000, users: 2_000, channels: 100 }
  // Filters of an export choose the rows, and the loop passes them on the same way.
  const isWanted = ({ call, args }: ConsoleRead) => !isExport(call) || !args.target.includes('?')

  it('takes the event loop no time that grows with users and calls', async () => {
    const { slow, reads } = await slowReadsOver(filled, maxLoopMs, undefined, isWanted)
    expect(reads).toBeGreaterThan(60)
    expect([...slow]).toEqual([])
  })
})
