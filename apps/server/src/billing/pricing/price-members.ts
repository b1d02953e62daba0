import type { LogOther } from '@tollgate/api'
import type { CallTerms, ImageTerms, PriceTerms, TokenTerms, VideoPriceTerms } from './price-terms.ts'

/** Members of a log row's `other` that are the same for every call at this price, as JSON text without braces. */
export interface PriceMembers {
  readonly always: string
  /** Each begins with a comma, and only rows with such tokens have it. */
  readonly cacheWrite: string
  readonly cacheWrite1h: string
  readonly audio: string
  readonly image: string
}

/** No group of a person has a ratio of its own in another group; readers of such logs know -1 as that. */
const noUserGroupRatio = -1

/** The terms under the names that readers of such logs know. */
export function priceMembers(terms: PriceTerms): PriceMembers {
  return terms.kind === 'per-call' ? callMembers(terms) : tokenMembers(terms)
}

function callMembers(terms: CallTerms): PriceMembers {
  const always = membersText({
    model_price: terms.modelPrice,
    quota_per_unit: terms.quotaPerUnit,
    group_ratio: terms.groupRatio,
    user_group_ratio: noUserGroupRatio,
    price_window: terms.window,
    ...(terms.image !== undefined && imageMembers(terms.image)),
    ...(terms.video !== undefined && videoMembers(terms.video)),
  })
  return { always, cacheWrite: '', cacheWrite1h: '', audio: '', image: '' }
}

function imageMembers({ price, n, size, quality, sizeRatio, qualityRatio }: ImageTerms) {
  return {
    image_price: price,
    image_count: n,
    image_size: size,
    image_quality: quality,
    image_size_ratio: sizeRatio,
    image_quality_ratio: qualityRatio,
  }
}

function videoMembers({ price, unit, seconds, resolution, resolutionRatio, soundRatio }: VideoPriceTerms) {
  return {
    video_price: price,
    video_unit: unit,
    video_seconds: seconds,
    video_resolution: resolution,
    video_resolution_ratio: resolutionRatio,
    // JSON leaves out what is undefined.
    video_sound_ratio: soundRatio,
  }
}

function tokenMembers(terms: TokenTerms): PriceMembers {
  const always = membersText({
    model_ratio: terms.modelRatio,
    model_price: -1,
    completion_ratio: terms.completionRatio,
    group_ratio: terms.groupRatio,
    user_group_ratio: noUserGroupRatio,
    cache_ratio: terms.cacheReadRatio,
    price_window: terms.window,
    tier_ratios: terms.served?.tiers,
    length_step: terms.served?.step,
  })
  return {
    always,
    cacheWrite: `,${membersText({ cache_creation_ratio: terms.cacheWriteRatio })}`,
    cacheWrite1h: `,${membersText({
      cache_creation_ratio_5m: terms.cacheWriteRatio,
      cache_creation_ratio_1h: terms.cacheWrite1hRatio,
    })}`,
    // JSON leaves out what is undefined: output without a ratio of its own is text output.
    audio: `,${membersText({
      audio: true,
      audio_ratio: terms.audioRatio,
      audio_completion_ratio: terms.audioCompletionRatio,
    })}`,
    image: `,${membersText({
      image: true,
      image_ratio: terms.imageRatio,
      image_completion_ratio: terms.imageCompletionRatio,
    })}`,
  }
}

/** The members of a JSON object as text, without its braces. */
function membersText(members: { readonly [Name in keyof LogOther]: LogOther[Name] | undefined }): string {
  return JSON.stringify(members).slice(1, -1)
}
