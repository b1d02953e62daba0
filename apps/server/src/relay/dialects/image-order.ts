import { type JsonObject, textOf } from '@tollgate/formats'
import type { ImageOrder } from '../../billing/pricing/image-price.ts'

/** What is ordered by a body that has passed the checks of its mode. */
export function imageOrderOf(model: string, { n, size, quality }: JsonObject): ImageOrder {
  return {
    model,
    n: Number(n ?? 1),
    size: textOf(size) || '1024x1024',
    quality: textOf(quality) || 'standard',
  }
}

/**
 * Upper estimate of the tokens that the images of an order are made of; 0 for models that are priced by the piece.
 * https://platform.openai.com/docs/guides/image-generation#cost-and-latency
 */
export function imageTokensOf({ model, n, quality }: ImageOrder): number {
  if (model.startsWith('dall-e')) return 0
  return n * (tokensByQuality[quality] ?? mostTokens)
}

const mostTokens = 6240
/** Of the largest size. Models choose by themselves where `auto`, or nothing, is asked. */
const tokensByQuality: Readonly<Record<string, number | undefined>> = { low: 408, medium: 1584 }
