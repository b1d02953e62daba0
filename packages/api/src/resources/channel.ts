import { z } from 'zod'
import { channelSettingMembers } from '../channel-fields.ts'
import { channelStatuses } from '../roles.ts'
import { jsonMembers } from '../unknown-members.ts'
import { quota, unixSeconds } from '../wire.ts'
import { commaList, id, named, trimmed } from './fields.ts'
import type { NumberLimits, TextLimits } from './limits.ts'
import { pageColumnsOf, pageFiltersOf } from './page-fields.ts'
import { defineResource, type FieldFacts, field } from './resource.ts'

export const channelNameMaxLength = 100
export const priorityMin = -999

type Facts = Omit<FieldFacts, 'limits'> & { readonly limits?: Partial<TextLimits> }

/** A text on one line, empty by default. */
function line(maxLength: number, { limits, ...facts }: Facts = {}) {
  return trimmed()
    .default('')
    .register(field, { ...facts, limits: { ...textLimits(maxLength), characters: 'line', ...limits } })
}

/** A text of several lines. */
function multiline(maxLength: number, text = z.string()) {
  return trimmed(text)
    .default('')
    .register(field, { limits: { ...textLimits(maxLength), characters: 'multiline' } })
}

const textLimits = (maxLength: number) =>
  ({ maxLength, tooLong: 'channel_text_too_long', malformed: 'channel_text_invalid' }) as const

/** Fits every database's plain integer. */
const within = (min: number): NumberLimits => ({ min, max: 1_000_000_000, outside: 'channel_number_invalid' })

/** 1 or 0 in JSON. */
const flagNumber = z.codec(z.number().int().min(0).max(1), z.boolean(), {
  decode: (number) => number === 1,
  encode: (on) => (on ? 1 : 0),
})

/** A connection to a provider. Its keys are no field of it: they are written, and never read. */
export const channelRecord = z.object({
  id: id.readonly().register(field, { column: { sort: true, hidden: true } }),
  type: z
    .number()
    .int()
    .default(1)
    .register(field, { column: { hidden: true }, filter: true }),
  name: line(channelNameMaxLength, {
    limits: { required: 'channel_name_and_key_required' },
    column: { sort: true },
  }),
  status: named(channelStatuses)
    .default('enabled')
    .register(field, { column: { sort: true }, filter: true }),
  keyCount: z.number().int().readonly(),
  openaiOrganization: line(255),
  maxInputTokens: z
    .number()
    .int()
    .min(0)
    .default(0)
    .register(field, { limits: within(0) }),
  baseUrl: line(2048),
  other: multiline(20_000),
  models: commaList(/[,，\n]/)
    .default([])
    .register(field, { column: { from: 1440 } }),
  groups: commaList(/[,，\n]/)
    .default(['default'])
    .register(field, { column: { hidden: true } }),
  /** Texts of JSON, empty when not set. */
  modelMapping: multiline(65_536),
  statusCodeMapping: multiline(65_536),
  paramOverride: multiline(65_536),
  setting: multiline(65_536, z.string().register(jsonMembers, { members: channelSettingMembers })),
  autoBan: flagNumber.default(true),
  testModel: line(255),
  priority: z
    .number()
    .int()
    .default(0)
    .register(field, { limits: within(priorityMin), column: { sort: true, from: 1280 } }),
  weight: z
    .number()
    .int()
    .default(0)
    .register(field, { limits: within(0), column: { sort: true, hidden: true } }),
  tag: line(100, { section: 'routing', column: { hidden: true }, filter: true }),
  usedQuota: quota.readonly().register(field, { column: { sort: true, from: 1280 } }),
  balance: z.number().readonly(),
  balanceUpdatedAt: unixSeconds.readonly(),
  /** Milliseconds; 0 when never tested. */
  responseTimeMs: z
    .number()
    .int()
    .readonly()
    .register(field, { column: { sort: true, from: 768 } }),
  testedAt: unixSeconds.readonly(),
  createdAt: unixSeconds.readonly(),
})

export const channelResource = defineResource(
  channelRecord,
  {
    groups: 'group',
    balanceUpdatedAt: 'balance_updated_time',
    responseTimeMs: 'response_time',
    testedAt: 'test_time',
    createdAt: 'created_time',
  },
  { neverNull: ['type', 'name', 'status', 'models', 'groups'] },
)

/** Columns and declared filters of the list. */
export const channelColumns = pageColumnsOf(channelResource)
export const channelFilters = pageFiltersOf(channelResource)

/** The fields of a channel that calls write, as they are read; a new one has the defaults. */
export type ChannelBody = ReturnType<typeof channelResource.toBody>
