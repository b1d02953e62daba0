import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { getOrInsert } from '@tollgate/base'
import { S3Client } from 'bun'
import type { Destination } from './destination.ts'
import type { UsageRecord } from './usage-record.ts'

interface Options {
  readonly bucket: string
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly prefix: string
  readonly seconds: number
}

/**
 * Files of an S3-compatible store, by day (UTC): `usage/2026-11-26/000000004711.jsonl.gz`, a record a line. A file has the name
 * of the row behind which it begins, so that a batch that is sent again replaces its files.
 */
export function s3Destination({ prefix, seconds, ...options }: Options): Destination {
  const { endpoint, ...account } = options
  const client = new S3Client({ ...account, ...(endpoint !== undefined && { endpoint }) })
  return {
    name: 's3',
    everyMs: seconds * 1000,
    maxRecords: 20_000,
    async send({ after, records }, signal) {
      for (const [day, those] of byDay(records)) {
        signal.throwIfAborted()
        const key = `${prefix}${day}/${String(after).padStart(12, '0')}.jsonl.gz`
        await client.write(key, await compressed(await linesOf(those)), { type: 'application/gzip' })
      }
    },
  }
}

/** Compresses beside the event loop. */
const compressed = promisify<Uint8Array, Buffer>(gzip)

/** Records that are written at once: other work of the event loop goes on between them. */
const recordsAtOnce = 500

async function linesOf(records: readonly UsageRecord[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let at = 0; at < records.length; at += recordsAtOnce) {
    const some = records.slice(at, at + recordsAtOnce)
    pieces.push(Buffer.from(some.map((record) => `${JSON.stringify(record)}\n`).join('')))
    await turn()
  }
  return Buffer.concat(pieces)
}

function byDay(records: readonly UsageRecord[]): ReadonlyMap<string, UsageRecord[]> {
  const days = new Map<string, UsageRecord[]>()
  for (const record of records) getOrInsert(days, record.time.slice(0, 10), () => []).push(record)
  return days
}
