import { getOrInsert } from '@tollgate/base'
import { gzipSync, S3Client } from 'bun'
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
        const lines = those.map((record) => `${JSON.stringify(record)}\n`).join('')
        const key = `${prefix}${day}/${String(after).padStart(12, '0')}.jsonl.gz`
        await client.write(key, gzipSync(Buffer.from(lines)), { type: 'application/gzip' })
      }
    },
  }
}

function byDay(records: readonly UsageRecord[]): ReadonlyMap<string, UsageRecord[]> {
  const days = new Map<string, UsageRecord[]>()
  for (const record of records) getOrInsert(days, record.time.slice(0, 10), () => []).push(record)
  return days
}
