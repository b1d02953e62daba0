import type { priceEntryKinds, TokenPriceName } from '../models/price-kinds.ts'
import { fillText, type Language, type LocalizedTexts } from './localized-texts.ts'

/** Subjects of a figure that needs consent: a part of a model's price, or an option whose numbers are prices. */
const parts = {
  call: { en: '{name}', zh: '{name}' },
  input: { en: '{name}, input', zh: '{name} 输入' },
  output: { en: '{name}, output', zh: '{name} 输出' },
  cache_read: { en: '{name}, cached input', zh: '{name} 缓存输入' },
  cache_write: { en: '{name}, cache write', zh: '{name} 缓存写入' },
  audio_input: { en: '{name}, audio input', zh: '{name} 音频输入' },
  audio_output: { en: '{name}, audio output', zh: '{name} 音频输出' },
  image_input: { en: '{name}, image input', zh: '{name} 图片输入' },
  image_output: { en: '{name}, image output', zh: '{name} 图片输出' },
  GroupRatio: { en: 'Group ratio of {name}', zh: '分组 {name} 的倍率' },
  TopupGroupRatio: { en: 'Top-up ratio of {name}', zh: '分组 {name} 的充值倍率' },
  VideoPrice: { en: 'Video price of {name}', zh: '{name} 的视频价格' },
  ToolPrice: { en: 'Provider tool of {name}', zh: '{name} 的服务商工具价格' },
  TierRatio: { en: 'Service tier of {name}', zh: '{name} 的服务等级倍率' },
  LengthPrice: { en: 'Long prompts of {name}', zh: '{name} 的长提示词价格' },
  TimePrice: { en: 'Price by time of day of {name}', zh: '{name} 的分时段价格' },
  QuotaPerUnit: { en: 'Quota per dollar', zh: '每美元对应的额度' },
  Price: { en: 'Price of one dollar of balance', zh: '充值价格' },
  StripePrice: { en: 'Stripe price', zh: 'Stripe 价格' },
} as const satisfies LocalizedTexts &
  Readonly<Record<TokenPriceName | (typeof priceEntryKinds)[number]['option'], unknown>>

/** Units of figures. */
const units = {
  million: { en: '{amount} per million tokens', zh: '{amount} / 百万 Token' },
  call: { en: '{amount} per call', zh: '{amount} / 次' },
  second: { en: '{amount} per second', zh: '{amount} / 秒' },
  thousandCalls: { en: '{amount} per 1,000 calls', zh: '{amount} / 1,000 次' },
  factor: { en: '× {amount}', zh: '× {amount}' },
  number: { en: '{amount}', zh: '{amount}' },
} as const satisfies LocalizedTexts

const inCurrency: ReadonlySet<string> = new Set(['million', 'call', 'second', 'thousandCalls'])

/** Words on the way to a number within an entry; those that say nothing are left out, others are names. */
const ways = {
  resolutions: { en: '', zh: '' },
  windows: { en: '', zh: '' },
  ratio: { en: '', zh: '' },
  input: { en: 'input', zh: '输入' },
  output: { en: 'output', zh: '输出' },
  cached: { en: 'cached input', zh: '缓存输入' },
  sound: { en: 'with sound', zh: '有声' },
  sun: { en: 'Sun', zh: '周日' },
  mon: { en: 'Mon', zh: '周一' },
  tue: { en: 'Tue', zh: '周二' },
  wed: { en: 'Wed', zh: '周三' },
  thu: { en: 'Thu', zh: '周四' },
  fri: { en: 'Fri', zh: '周五' },
  sat: { en: 'Sat', zh: '周六' },
} as const satisfies LocalizedTexts

/** The length of prompts from which a figure holds, as `wayOfLength` writes it. */
const lengths = { en: 'above {tokens} tokens,', zh: '超过 {tokens} Token ·' } as const

/** Returns the word on a way for prompts of more than so many tokens. */
export const wayOfLength = (tokens: number): string => `>${tokens}`

export type PricedPart = keyof typeof parts
export type PriceUnit = keyof typeof units

/** The figures of a consequence that is about a price. */
export interface PriceDetails {
  /** A model, or an entry of the option. */
  readonly name: string
  /** Path of the number inside of the entry. */
  readonly within: string
  readonly part: PricedPart
  readonly price: number
  readonly reference: number
  readonly unit: PriceUnit
}

const maxDecimals = 9

/** The figures as a sentence in this language has them, with currency and unit; other details stay as they are. */
export function priceTexts(
  details: Readonly<Record<string, string | number>>,
  language: Language,
): Readonly<Record<string, string | number>> {
  const { name = '', within = '', part, unit } = details
  if (!isOf(parts, part) || !isOf(units, unit)) return details
  const written = (amount: string | number | undefined) => {
    const figure = figureText(amount)
    return fillText(units[unit][language], { amount: inCurrency.has(unit) ? `$${figure}` : figure }, language)
  }
  const named = fillText(parts[part][language], { name }, language)
  return {
    name: named + wayText(String(within), language),
    price: written(details['price']),
    reference: written(details['reference']),
  }
}

function figureText(figure: string | number | undefined): string {
  return Number(figure).toLocaleString('en-US', { maximumFractionDigits: maxDecimals })
}

function wayText(within: string, language: Language): string {
  const words = within.split(' ').map((word) => {
    if (/^\d+$/.test(word)) return `#${Number(word) + 1}`
    if (/^>\d+$/.test(word))
      return fillText(lengths[language], { tokens: figureText(word.slice(1)) }, language)
    return isOf(ways, word) ? ways[word][language] : word
  })
  const text = words.filter((word) => word !== '').join(' ')
  if (text === '') return ''
  return language === 'zh' ? `（${text}）` : `, ${text}`
}

function isOf<Table extends object>(table: Table, key: unknown): key is keyof Table & string {
  return typeof key === 'string' && Object.hasOwn(table, key)
}
