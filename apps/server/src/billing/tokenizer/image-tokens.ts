import type { PromptImage } from '@tollgate/formats'
import { type ImageSize, imageSizeOf } from './image-size.ts'

/** Rule by which a family of models counts an image, in tokens. */
export interface ImageRule {
  tokens(size: ImageSize): number
  /** Tokens of the largest image. */
  readonly max: number
  /** Tokens at the caller's `detail` of `low`. */
  readonly low: number
}

const lowDetailTokens = 85
const patchSide = 32
const maxPatches = 1536

/** First match counts. OpenAI's: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const rules: readonly (readonly [RegExp, ImageRule])[] = [
  [/^glm-4v$/, fixed(1047)],
  // Width × height / 750, and at most 1,600 but for the newest. https://docs.claude.com/en/docs/build-with-claude/vision
  [/claude/, fixed(1000, 1600)],
  // 258 for each tile of 768 × 768. https://ai.google.dev/gemini-api/docs/tokens
  [/^gemini/, fixed(258, 8 * 258)],
  [/^(?:gpt-4\.1-mini|gpt-5-mini)/, patches(1.62)],
  [/^(?:gpt-4\.1-nano|gpt-5-nano)/, patches(2.46)],
  [/^o4-mini/, patches(1.72)],
  [/^gpt-4o-mini/, tiles(2833, 5667)],
  [/^gpt-5/, tiles(70, 140)],
  [/^o[13]/, tiles(75, 150)],
  [/^computer-use/, tiles(65, 129)],
]
const defaultRule = tiles(85, 170)

/** An image behind an address is not fetched: it is taken to be one tile. */
const unknownSize: ImageSize = { width: 512, height: 512 }

export function imageRuleOf(model: string): ImageRule {
  return rules.find(([pattern]) => pattern.test(model))?.[1] ?? defaultRule
}

/** Tokens that an image stands for, by the size in its header. */
export function imageTokens(rule: ImageRule, { detail, url }: PromptImage): number {
  return detail === 'low' ? rule.low : rule.tokens(imageSizeOf(url) ?? unknownSize)
}

/** The same of an image that is not looked at. */
export function unseenImageTokens(rule: ImageRule, { detail }: PromptImage): number {
  return detail === 'low' ? rule.low : rule.tokens(unknownSize)
}

/** Upper estimate that does not look at the image. */
export function roughImageTokens(rule: ImageRule, { detail }: PromptImage): number {
  return detail === 'low' ? rule.low : rule.max
}

function fixed(tokens: number, limit = tokens): ImageRule {
  return { tokens: () => tokens, max: limit, low: tokens }
}

/** Makes the rule of so many tokens, and more for each tile of the image fitted into a box of 2048 and a shorter side of 768. */
function tiles(base: number, tile: number): ImageRule {
  const maxTiles = 8
  return {
    tokens: (size) => base + tile * tilesOf(size),
    max: base + tile * maxTiles,
    low: lowDetailTokens,
  }
}

function tilesOf({ width, height }: ImageSize): number {
  const boxed = Math.min(1, 2048 / Math.max(width, height))
  const shrunk = Math.min(1, 768 / (Math.min(width, height) * boxed))
  const across = (side: number) => Math.max(1, Math.ceil(Math.round(side * boxed * shrunk) / 512))
  return across(width) * across(height)
}

/** Makes the rule of so many tokens for each patch of 32 × 32; larger images are shrunk until their patches are few enough. */
function patches(multiplier: number): ImageRule {
  return {
    tokens: (size) => Math.ceil(patchesOf(size) * multiplier),
    max: Math.ceil(maxPatches * multiplier),
    low: lowDetailTokens,
  }
}

function patchesOf({ width, height }: ImageSize): number {
  const across = (side: number) => Math.ceil(side / patchSide)
  return Math.min(maxPatches, across(width) * across(height))
}
