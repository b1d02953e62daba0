import type { PromptImage } from '@tollgate/formats'
import { type ImageSize, imageSizeOf } from './image-size.ts'

interface TilePrice {
  readonly base: number
  readonly tile: number
}

const lowDetailTokens = 85
const tileSide = 512
/** The box an image is fitted into, then the length its shorter side is brought to. */
const boxSide = 2048
const shortSide = 768
/** Tiles of the largest image after fitting: 768 by 2048. */
const mostTiles = 8

const families: readonly (readonly [RegExp, TilePrice])[] = [
  [/^gpt-4o-mini/, { base: 2833, tile: 5667 }],
  [/^gpt-5/, { base: 70, tile: 140 }],
  [/^o[13]/, { base: 75, tile: 150 }],
]
const commonPrice: TilePrice = { base: 85, tile: 170 }

/**
 * Tokens an image stands for, as OpenAI counts them by tiles. https://platform.openai.com/docs/guides/images-vision
 * An image behind an address is not fetched: three times the base stands for it.
 */
export function imageTokens(model: string, image: PromptImage): number {
  if (model === 'glm-4v') return 1047
  if (image.detail === 'low') return lowDetailTokens
  const { base, tile } = priceOf(model)
  const size = imageSizeOf(image.url)
  return size === undefined ? 3 * base : base + tile * tilesOf(size)
}

/** Upper estimate that does not look at the image. */
export function roughImageTokens(model: string, image: PromptImage): number {
  if (image.detail === 'low') return lowDetailTokens
  const { base, tile } = priceOf(model)
  return base + tile * mostTiles
}

function priceOf(model: string): TilePrice {
  return families.find(([pattern]) => pattern.test(model))?.[1] ?? commonPrice
}

function tilesOf({ width, height }: ImageSize): number {
  const boxed = Math.min(1, boxSide / Math.max(width, height))
  const shrunk = Math.min(1, shortSide / (Math.min(width, height) * boxed))
  const tiles = (side: number) => Math.ceil(Math.round(side * boxed * shrunk) / tileSide)
  return tiles(width) * tiles(height)
}
