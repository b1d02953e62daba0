import { z } from 'zod'
import { hashableFields, recordFields } from './usage-record.ts'

const address = z.string().regex(/^https?:\/\/[^\s/]+\S*$/, 'must be an http:// or https:// address')
const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')

/** A comma list of some of the names. */
const namesOf = <Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .refine((list): list is Name[] => list.every((name) => names.some((known) => known === name)), {
      message: `must be a comma list of ${names.join(', ')}`,
    })

/**
 * Variables for destinations of calls' records. Nothing is sent by default; each destination has a position of its own in the log.
 */
export const usageExportEnvironment = z
  .object({
    USAGE_EXPORT_WEBHOOK_URL: address.optional(),
    /** Signs each batch. */
    USAGE_EXPORT_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    USAGE_EXPORT_S3_BUCKET: z.string().min(1).optional(),
    /** Endpoint of a store that is not the one which named the protocol. */
    USAGE_EXPORT_S3_ENDPOINT: address.optional(),
    USAGE_EXPORT_S3_REGION: z.string().min(1).default('us-east-1'),
    USAGE_EXPORT_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    USAGE_EXPORT_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    /** Prefix of `2026-11-26/…`. */
    USAGE_EXPORT_S3_PREFIX: z.string().default('usage/'),
    /** Seconds between files. */
    USAGE_EXPORT_S3_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
    /** `otlp`: to the collector of traces and metrics. Not on with them, because records name users. */
    OTEL_LOGS_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('none'),
    /** `start`: the whole log at first. `now`: calls from the first start with the destination on. */
    USAGE_EXPORT_FROM: z.enum(['now', 'start'], 'must be now or start').default('now'),
    /** Fields that are not sent. */
    USAGE_EXPORT_LEAVE_OUT: namesOf(recordFields),
    /** Fields that are sent as keyed hashes: equal ones stay equal. */
    USAGE_EXPORT_HASH: namesOf(hashableFields),
    /** Sends the sentences of the log, too: a failure's may quote what the caller or the upstream wrote. */
    USAGE_EXPORT_CONTENT: flag.default(false),
  })
  .refine(
    ({
      USAGE_EXPORT_S3_BUCKET: bucket,
      USAGE_EXPORT_S3_ACCESS_KEY_ID: id,
      USAGE_EXPORT_S3_SECRET_ACCESS_KEY: key,
    }) => bucket === undefined || (id !== undefined && key !== undefined),
    {
      path: ['USAGE_EXPORT_S3_BUCKET'],
      message: 'needs USAGE_EXPORT_S3_ACCESS_KEY_ID and USAGE_EXPORT_S3_SECRET_ACCESS_KEY',
    },
  )

export type UsageExportConfig = z.output<typeof usageExportEnvironment>
