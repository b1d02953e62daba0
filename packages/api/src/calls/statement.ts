import { z } from 'zod'
import { statementLineNames } from '../statement-lines.ts'
import { queryChoice, queryInteger, queryText, quota, readerClock, unixSeconds } from '../wire.ts'
import { get } from './define.ts'

export const statementKinds = ['user', 'token', 'group'] as const
/** Kind of accounts that a statement is about. */
export type StatementKind = (typeof statementKinds)[number]

/** Charges for calls that have a model, a key or a user in common. */
const chargeLine = z.object({
  /** Empty for calls of none, or beyond the listed ones. */
  name: z.string(),
  /** Id of a key or a user; 0 otherwise. */
  id: z.number().int(),
  calls: z.number().int(),
  amount: quota,
})
/** A line of charges on the wire. */
export type StatementChargeLine = z.output<typeof chargeLine>

/**
 * Books of a user, a key or a group in a month: `opening` + all `lines` − `charges` = `closing`. The closing of a month is the opening of the
 * next. Corrections of charges count in the month in which they were made.
 */
export const statement = z.object({
  /** Names subject, month and content: another content has another number. */
  number: z.string(),
  kind: z.enum(statementKinds),
  /** 0 for a group. */
  id: z.number().int(),
  name: z.string(),
  /** Name of the month, `2026-11`. */
  month: z.string(),
  /** First second of the month by the reader's clock, and the first after it. */
  from: unixSeconds,
  end: unixSeconds,
  /** Set while the month is not over: figures may change. */
  is_open: z.boolean(),
  /** Set for a key without a limit, whose balance means nothing. */
  is_unlimited: z.boolean(),
  opening: quota,
  closing: quota,
  lines: z.array(z.object({ line: z.enum(statementLineNames), amount: quota, count: z.number().int() })),
  charges: z.object({ amount: quota, calls: z.number().int() }),
  /** The first thousand moves; none for a group. */
  entries: z.array(
    z.object({
      at: unixSeconds,
      line: z.enum(statementLineNames),
      amount: quota,
      /** An order's number, a reason; empty without. */
      note: z.string(),
    }),
  ),
  /** Adds up to `charges`; empty for a key. */
  by_model: z.array(chargeLine),
  /** Keys of a user, or users of a group; adds up to `charges`. Empty for a key. */
  by_account: z.array(chargeLine),
  /** Units that one unit of currency has. */
  quota_per_unit: z.number(),
})
/** A statement on the wire. */
export type Statement = z.output<typeof statement>

const ofMonth = {
  /** Name of a month, `2026-11`; the current one by default. */
  month: queryText,
  ...readerClock,
}
/** The caller's own account, or one of their keys. */
const own = { ...ofMonth, token_id: queryInteger }
const anybody = {
  ...ofMonth,
  kind: queryChoice(statementKinds),
  /** Id of a user or a key. */
  id: queryInteger,
  /** Name of a group: of its members of now. */
  group: queryText,
}

export const statements = {
  self: get('user', '/api/statement/self', { recentProof: 'reads', query: z.object(own), data: statement }),
  get: get('admin', '/api/statement/', {
    part: 'money',
    recentProof: 'reads',
    query: z.object(anybody),
    data: statement,
  }),
  exportSelf: get('user', '/api/statement/self/export', {
    recentProof: 'reads',
    query: z.object(own),
    response: 'stream',
  }),
  export: get('admin', '/api/statement/export', {
    part: 'money',
    // The audit log records who took it along.
    recentProof: 'operates',
    query: z.object(anybody),
    response: 'stream',
  }),
}
