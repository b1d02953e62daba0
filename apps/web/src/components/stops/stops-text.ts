import type { ChangedCharge, ChannelStops, Language } from '@tollgate/api'
import { priceTexts } from '@tollgate/api/price-figures'
import type { TFunction } from 'i18next'
import { localList } from '../../i18n/local-list.ts'
import { formatQuota } from '../../lib/format/format.ts'
import type { MoneyDisplay } from '../../lib/format/money-display.ts'

/** Rows that a question names at first; the others unfold. */
const maxNamed = 4

/** Kind of a change: it decides how the calls of the last hour are described. */
export type ChangeKind = 'channels' | 'key' | 'price' | 'group' | 'closed-group' | 'removed-group'

/** Sentences about a change, one on each line, and the lines that they had no room for. */
export interface StopsText {
  readonly text: string
  readonly more?: { readonly label: string; readonly lines: readonly string[] }
}

type T = TFunction<'stops'>

/** Texts of the models that stop, and of the calls that used what changes. */
const words = {
  channels: { models: 'models', calls: 'calls' },
  key: { models: 'models', calls: 'calls' },
  price: { models: 'unpriced', calls: 'callsCharged' },
  group: { models: 'models', calls: 'callsCharged' },
  'closed-group': { models: 'models', calls: 'callsClosed' },
  'removed-group': { models: 'models', calls: 'callsMoved' },
} as const satisfies Record<ChangeKind, { readonly models: string; readonly calls: string }>

/** Says what stops or is charged otherwise with a change, and how the last hour used that. */
export function stopsText(
  stops: ChannelStops,
  kind: ChangeKind,
  t: T,
  language: Language,
  display: MoneyDisplay,
): StopsText {
  const { models, model_count: count, calls, users, attempts, charges = [], charge_count = 0 } = stops
  const modelLines = models.map(({ model, groups }) => t('model', { model, groups: localList(groups) }))
  const chargeLines = charges.map((charge) => chargeText(charge, t, language))
  const named = modelLines.slice(0, maxNamed)
  const lines = [
    ...(count > 0 ? [t(words[kind].models, { count, list: localList(named) })] : []),
    ...(kind === 'channels' && count === 0 ? [t('nothing')] : []),
    ...chargeLines.slice(0, maxNamed),
    ...(kind === 'closed-group' ? [t('closed')] : []),
    ...(stops.key ? keyTexts(stops.key, t) : []),
    ...(isOfChannels(kind) && count === 0 ? [] : [callsText({ calls, users }, callsWord(kind, count), t)]),
    ...(stops.spend ? [spendText(stops.spend, charges, t, display)] : []),
    ...(attempts > 0 ? [t(kind === 'key' ? 'keyAttempts' : 'attempts', { count: attempts })] : []),
  ]
  const left = [...modelLines.slice(maxNamed), ...chargeLines.slice(maxNamed)]
  const all = count - named.length + charge_count - Math.min(chargeLines.length, maxNamed)
  const beyond = all - left.length
  return {
    text: lines.join('\n'),
    ...(all > 0 && {
      more: {
        label: t('more', { count: all }),
        lines: [...left, ...(beyond > 0 ? [t('beyond', { count: beyond })] : [])],
      },
    }),
  }
}

/** Decides whether calls fail by a change that nobody is charged otherwise by. */
const isOfChannels = (kind: ChangeKind) => kind === 'channels' || kind === 'key'

/** Says who takes over from a key, and what it leaves behind. */
function keyTexts({ others, cooling, tasks }: NonNullable<ChannelStops['key']>, t: T): readonly string[] {
  return [
    others === 0 ? t('keyAlone') : t('keyOthers', { count: others }),
    ...(cooling > 0 ? [t('keyCooling', { count: cooling })] : []),
    ...(tasks > 0 ? [t('keyTasks', { count: tasks })] : []),
  ]
}

/** Calls to what stops fail, whatever stops it. */
function callsWord(kind: ChangeKind, stopped: number) {
  return stopped > 0 ? 'calls' : words[kind].calls
}

function callsText(
  { calls, users }: Pick<ChannelStops, 'calls' | 'users'>,
  word: ReturnType<typeof callsWord>,
  t: T,
): string {
  return calls > 0 ? t(word, { count: calls, users: t('users', { count: users }) }) : t('unused')
}

/** Says what the calls of the last hour were charged, and about how much more or less it would have been. */
function spendText(
  { before, after }: NonNullable<ChannelStops['spend']>,
  charges: readonly ChangedCharge[],
  t: T,
  display: MoneyDisplay,
): string {
  const [was, difference] = [before, Math.abs(after - before)].map((quota) => formatQuota(quota, display))
  const figures = { before: was, difference }
  // The ratios of groups alone have what the keys in them were charged.
  const isOfGroups = charges.length > 0 && charges.every(({ model }) => model === '')
  if (!isOfGroups) return t(after > before ? 'spendMore' : 'spendLess', figures)
  return t(after > before ? 'spendMoreGroup' : 'spendLessGroup', { ...figures, count: charges.length })
}

/** Returns a charge with its currency and unit. */
function chargeText(charge: ChangedCharge, t: T, language: Language): string {
  const { model, group, part, within = '', unit, unit_before = unit, before, after } = charge
  const about = { name: model || group, within, part }
  const { name, price } = priceTexts({ ...about, unit, price: after ?? 0 }, language)
  const { price: former } = priceTexts({ ...about, unit: unit_before, price: before ?? 0 }, language)
  // One unit for both stands behind the second amount.
  const isOneUnit = after !== null && unit_before === unit
  const figures = {
    ...{ name, group },
    before: before === null ? t('none') : isOneUnit ? amountOf(String(former)) : former,
    after: after === null ? t('none') : price,
  }
  return model === '' || group === '' ? t('ratio', figures) : t('charge', figures)
}

/** Returns an amount of money without its unit; a factor has none. */
function amountOf(text: string): string {
  return /^\$[\d.,]+/.exec(text)?.[0] ?? text
}
