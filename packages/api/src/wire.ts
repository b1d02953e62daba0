import { z } from 'zod'

/** Envelope of every console response. Business refusals are HTTP 200 with `success: false`. */
export interface Envelope<Data = unknown> {
  readonly success: boolean
  readonly message: string
  readonly data?: Data
  /** Stable name of the refusal, for programs; absent on success. */
  readonly code?: string
}

export const maxPageSize = 100
export const defaultPageSize = 10

/** Query text to integer: blank, `NaN` and `null` count as absent, as older consoles send them. */
const optionalInteger = z
  .union([z.string(), z.number()])
  .optional()
  .transform((value) => {
    if (value === undefined || value === '' || value === 'NaN' || value === 'null') return undefined
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : undefined
  })

export const queryInteger = optionalInteger
const optionalText = z.string().max(500).optional()

/** Absence of a value as clients write it. */
function present(value: string | undefined): string | undefined {
  return value === '' || value === 'null' ? undefined : value
}

/** Text without the spaces around it, which come along when a name or an id is copied or typed on a phone. */
export const queryText = optionalText.transform((value) => present(value?.trim()))
/** Text as rows have it: the model of a failed call is what its caller wrote, spaces included. */
export const queryWrittenText = optionalText.transform(present)
export const queryFlag = z
  .union([z.string(), z.boolean()])
  .optional()
  // Python writes `True`.
  .transform((value) => value === true || (typeof value === 'string' && /^(true|1)$/i.test(value)))

/** The token of the human check's widget: query `turnstile`, required while the site has the check switched on. */
export const humanCheckToken = z.string().max(2048).default('')
/** Minutes by which the caller's clock is ahead of UTC; any impossible offset counts as 0. */
export const utcOffset = optionalInteger.transform((minutes) =>
  minutes === undefined || Math.abs(minutes) > 14 * 60 ? 0 : minutes,
)

/**
 * Clock of the reader's days and hours. The name of a time zone knows when clocks change, so it wins over the minutes; an unknown one
 * counts as absent.
 */
export const readerClock = { utc_offset: utcOffset, time_zone: queryText } as const

export const pageSize = optionalInteger.transform((size) =>
  size === undefined || size < 1 ? defaultPageSize : Math.min(size, maxPageSize),
)

/** Page size of calls that return everything by default; absent then. */
export const optionalPageSize = optionalInteger.transform((size) =>
  size === undefined || size < 1 ? undefined : Math.min(size, maxPageSize),
)

/**
 * The values that an edit was made on, by the names of its fields. A field that is sent as it was is no change, and one that
 * somebody else has changed since is not overwritten: the call is refused with `edit_conflict`. A field without one is written.
 */
export const editBase = z.record(z.string(), z.unknown()).optional()

/** One of some words; blank counts as absent. */
export function queryChoice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z
    .union([z.literal(''), z.enum(choices)])
    .optional()
    .transform((word): Choices[number] | undefined => (word === '' ? undefined : word))
}

/** Lists whose first page is 1 on the wire; 0 and blank mean the first page too. */
export const oneBasedPage = optionalInteger.transform((page) => (page === undefined || page < 1 ? 1 : page))
/** Lists whose first page is 0 on the wire (channels, tokens). */
export const zeroBasedPage = optionalInteger.transform((page) => (page === undefined || page < 0 ? 0 : page))

export const idParams = z.object({
  id: z.coerce.number().int().positive(),
})

export const emptyData = z.undefined()

/** A page of a list that knows its length. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().int(),
    page: z.number().int(),
    page_size: z.number().int(),
  })
}

/** Money on the wire: an integer number of quota units (64-bit in the store, safe integer on the wire). */
export const quota = z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
/** Unix seconds. */
export const unixSeconds = z.number().int()
export const unixMilliseconds = z.number().int()

/** Length of a list whose `data` is a plain array: stands beside it in the envelope. */
export const listTotal = z.object({ total: z.number().int() })

/** The outcome for one row of a bulk call. */
export const rowOutcome = z.object({
  id: z.number().int(),
  success: z.boolean(),
  /** Empty on success. */
  message: z.string(),
  /** Name of the refusal; absent on success. */
  code: z.string().optional(),
})
export type RowOutcome = z.output<typeof rowOutcome>
/** Beside the `data` of a bulk call, in the order of its ids. */
export const bulkOutcomes = z.object({ outcomes: z.array(rowOutcome) })
