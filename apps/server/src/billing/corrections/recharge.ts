import type { LogOther } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { type Service, toolKinds, type Usage, usageOf } from '@tollgate/formats'
import type { LogRow } from '../../store/log/index/log-row.ts'
import type { Quota } from '../../store/units.ts'
import { costOf } from '../pricing/charge.ts'
import { imagePrice, videoPrice } from '../pricing/media-price.ts'
import type { Price } from '../pricing/price.ts'
import { isBrokenOff } from '../pricing/unfinished.ts'

/** The parts of a log row that its charge was worked out from. */
export type ChargedRow = Pick<LogRow, 'model' | 'quota' | 'promptTokens' | 'completionTokens' | 'other'>

/** Facts of a call in its row: members of the wrong type count as absent. */
export type CallFacts = { readonly [Name in keyof LogOther]?: LogOther[Name] | undefined }

/** The facts of a row; `undefined` where it has none. */
export function factsOf({ other }: Pick<LogRow, 'other'>): CallFacts | undefined {
  if (other === '') return undefined
  try {
    const parsed: unknown = JSON.parse(other)
    // Written by the gateway itself, from the same type.
    return typeof parsed === 'object' && parsed !== null ? (parsed as CallFacts) : undefined
  } catch {
    return undefined
  }
}

export type RechargeSettings = Pick<SettingValues, 'VideoPrice' | 'QuotaPerUnit'>

/**
 * Returns the charge of a logged call by another price, computed from the counts in its row. `undefined` where the row does not have
 * what the price needs. It leaves out what the balance lacked at the time, and a call that broke off where only a finished one has a
 * price.
 */
export function rechargeOf(
  row: ChargedRow,
  facts: CallFacts,
  price: Price,
  settings: RechargeSettings,
): Quota | undefined {
  const ordered = orderedPrice(row, facts, price, settings)
  if (ordered === undefined) return undefined
  const cost = isUnpaid(facts, ordered) ? 0 : costOf(usageIn(row, facts), ordered)
  return facts.shortfall === undefined ? cost : Math.min(cost, row.quota)
}

/** The price of this call: of all its images, of its video, of its tokens. */
function orderedPrice(
  row: ChargedRow,
  facts: CallFacts,
  price: Price,
  settings: RechargeSettings,
): Price | undefined {
  if (facts.image_count !== undefined) return priceOfImages(row, facts, price, settings)
  if (facts.video_seconds !== undefined) return priceOfVideo(row, facts, price, settings)
  const isPerCall = price.terms.kind === 'per-call'
  if (isPerCall) return facts.image === true ? undefined : price
  const hasCounts = facts.model_price === -1 || row.promptTokens + row.completionTokens > 0
  return hasCounts ? price : undefined
}

function priceOfImages(
  { model }: ChargedRow,
  { image_count: n = 1, image_size: size = '', image_quality: quality = '', estimated }: CallFacts,
  price: Price,
  { QuotaPerUnit }: RechargeSettings,
): Price | undefined {
  const ordered = imagePrice(price, { model, n, size, quality }, QuotaPerUnit)
  if (ordered.terms.kind === 'per-call') return ordered
  // Of images that had a price by the piece, the row does not say which tokens were images.
  return estimated === true ? ordered.whenUncounted : undefined
}

function priceOfVideo(
  { model }: ChargedRow,
  { video_seconds: seconds = 0, video_resolution: resolution = '', video_sound_ratio: sound }: CallFacts,
  price: Price,
  { VideoPrice }: RechargeSettings,
): Price | undefined {
  if (price.terms.kind !== 'per-call') return undefined
  const rule = Object.hasOwn(VideoPrice, model) ? VideoPrice[model] : undefined
  return videoPrice(price, rule, { seconds, resolution, ...(sound !== undefined && { sound: 'usual' }) })
}

function isUnpaid({ ended, ws }: CallFacts, { terms }: Price): boolean {
  return terms.kind === 'per-call' && ws !== true && isBrokenOff(ended)
}

function usageIn({ promptTokens, completionTokens }: ChargedRow, facts: CallFacts): Usage {
  const { cache_tokens: cacheReadTokens = 0, cache_creation_tokens_1h: cacheWrite1hTokens = 0 } = facts
  const { cache_creation_tokens: written = 0 } = facts
  const cacheWriteTokens = facts.cache_creation_tokens_5m ?? written - cacheWrite1hTokens
  const cached = cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens
  return usageOf({
    inputTokens: Math.max(0, promptTokens - cached),
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    outputTokens: completionTokens,
    ...(facts.audio_input !== undefined && { audioInputTokens: facts.audio_input }),
    ...(facts.audio_output !== undefined && { audioOutputTokens: facts.audio_output }),
    ...(facts.image_input !== undefined && { imageInputTokens: facts.image_input }),
    ...(facts.image_output !== undefined && { imageOutputTokens: facts.image_output }),
    ...serviceIn(facts),
    ...toolsIn(facts),
    ...maxPromptIn(facts),
  })
}

/** The ways of serving of which the row names a ratio: which of them chose what makes no difference to their product. */
function serviceIn({ tier_ratios: tiers }: CallFacts): Pick<Usage, 'service'> {
  if (tiers === undefined) return {}
  const [tier, speed, geo] = Object.keys(tiers) as readonly NonNullable<Service['tier']>[]
  return {
    service: {
      ...(tier !== undefined && { tier }),
      ...(speed !== undefined && { speed }),
      ...(geo !== undefined && { geo }),
    },
  }
}

function toolsIn({ tool_calls: tools }: CallFacts): Pick<Usage, 'toolCalls'> {
  const counted = toolKinds.flatMap((kind) => {
    const used = tools?.[kind]
    return used === undefined ? [] : [[kind, used.calls] as const]
  })
  return counted.length === 0 ? {} : { toolCalls: Object.fromEntries(counted) }
}

/** A row that adds up several prompts says of the longest alone whether it was beyond a step. */
function maxPromptIn({ ws, tool_calls: tools, length_step: step }: CallFacts): Partial<Usage> {
  if (ws !== true && tools === undefined) return {}
  return { maxRoundPromptTokens: step === undefined ? 0 : step.above + 1 }
}
