/** Records that `@tollgate/api` declares, as the database holds them: their entities and rows. */
import { type Bare, redemptionRecord, type SnakeCase, tokenRecord } from '@tollgate/api'
import type { Generated } from 'kysely'
import { z } from 'zod'

export const storedToken = tokenRecord.omit({ key: true }).extend({
  /** Keyed hash of the 48 characters, which finds a presented key. */
  keyHash: z.string(),
  /** The 48 characters, sealed. */
  keySealed: z.string(),
  /** The visible characters of a masked key; empty for keys from before these columns. */
  keyHead: z.string(),
  keyTail: z.string(),
  deletedAt: z.number().int().nullable(),
})

export type Token = Readonly<z.output<typeof storedToken>>

type Row = RowOf<typeof storedToken.shape>
type AccountColumn = 'remain_quota' | 'used_quota' | 'accessed_at'
export type TokenRow = Omit<Row, AccountColumn>
/** `id` is the token's. */
export interface TokenAccountRow extends Pick<Row, 'remain_quota' | 'accessed_at'> {
  readonly id: number
  readonly used_quota: Row['remain_quota']
}

export const storedRedemption = redemptionRecord.omit({ key: true, usedUsername: true }).extend({
  keyHash: z.string(),
  keySealed: z.string(),
  deletedAt: z.number().int().nullable(),
})

export type Redemption = Readonly<z.output<typeof storedRedemption>>
export type RedemptionRow = RowOf<typeof storedRedemption.shape>
/** The database holds names as numbers, switches as 0 and 1, and lists as JSON. */
type ColumnOf<Schema> =
  Bare<Schema> extends z.ZodCodec<infer Wire, infer Inner>
    ? Bare<Inner> extends z.ZodEnum
      ? z.output<Wire>
      : ColumnOf<Inner>
    : Bare<Schema> extends z.ZodNullable<infer Inner>
      ? ColumnOf<Inner> | null
      : Bare<Schema> extends z.ZodBoolean
        ? 0 | 1
        : Bare<Schema> extends z.ZodArray
          ? string
          : z.output<Bare<Schema>>

/** The row of a record. An insert may leave out the id and every field with a default. */
type RowOf<Shape> = {
  [Name in keyof Shape as SnakeCase<Name>]: Name extends 'id'
    ? Generated<number>
    : Shape[Name] extends z.ZodDefault
      ? Generated<ColumnOf<Shape[Name]>>
      : ColumnOf<Shape[Name]>
}

